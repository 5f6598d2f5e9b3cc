"""People at one board, each in a browser of their own, and connections that break off."""

from __future__ import annotations

from typing import Any

from tests.hyperoxo_web.pages.conftest import HOT, Open, Site, called, cell, put, ready, said


def place(page: Any) -> Any:
    """Return where the board stands in the window, and the buttons below it."""
    return page.evaluate(
        """() => [".flat-board", ".line"].map((name) => {
            const { x, y, width, height } = document.querySelector(name).getBoundingClientRect();
            return [x, y, width, height];
        })"""
    )


def test_a_request_moves_nothing_and_is_answered_by_keyboard(pair: Open) -> None:
    ada, bob = pair("3^3")
    cell(ada, 0).click()
    bob.wait_for_selector(".cell[data-cell='13'].legal")
    cell(bob, 13).click()
    ada.wait_for_selector(".cell[data-cell='26'].legal")
    before = place(ada), place(bob)
    bob.get_by_role("button", name="Back", exact=True).click()
    said(ada, "Bob wants to take back move 2.")
    said(bob, "You asked to take back move 2. Waiting for Ada.")
    assert (place(ada), place(bob)) == before
    assert ada.get_by_role("alert").all_inner_texts() == ["Bob wants to take back move 2."]
    ada.keyboard.press("d")
    said(bob, "Cross's move.")
    ada.wait_for_selector(".request", state="detached")  # the next request has the same sentence
    assert bob.evaluate("window.oxoGame.s.moves") == [0, 13]
    bob.get_by_role("button", name="Back", exact=True).click()
    said(ada, "Bob wants to take back move 2.")
    ada.keyboard.press("y")
    said(bob, "Your move.")
    assert bob.evaluate("window.oxoGame.s.moves") == [0]
    assert (place(ada), place(bob)) == before
    called(bob, "More", "Offer a draw")
    said(ada, "Bob wants to call it a draw.")
    bob.get_by_role("button", name="Withdraw").click()
    ada.wait_for_selector(".request", state="detached")


def test_a_request_fits_a_phone_and_moves_nothing_there(site: Site, open_page: Open) -> None:
    made = site.make("3^3", [{"name": "Ada"}, {"name": "Bartholomew the Younger"}])
    ada = open_page(made["urls"][0], width=360, height=740, has_touch=True)
    bob = open_page(made["urls"][1], person="Bob")
    ready(ada)
    ready(bob)
    before = place(ada)
    called(bob, "More", "Swap seats")
    said(ada, "Bartholomew the Younger wants to swap seats.")
    assert place(ada) == before
    assert ada.evaluate("document.documentElement.scrollWidth") <= 360
    ada.get_by_role("button", name="Agree").tap()
    said(bob, "Your move.")


def test_help_is_asked_for_and_agreed_on(pair: Open) -> None:
    ada, bob = pair("3^3", analysis="after")
    assert ada.get_by_role("button", name="Hint", exact=True).count() == 0
    called(ada, "More", "Analysis")
    ada.get_by_role("button", name="Ask to allow hints").click()
    said(bob, "Ada wants to have hints and analysis in this game.")
    bob.get_by_role("button", name="Agree").click()
    for page in (ada, bob):
        page.get_by_role("button", name="Hint", exact=True).wait_for()
        assert "Hints and analysis are on for all." in page.inner_text(".rules")


def test_sound_is_silent_until_it_is_asked_for(play: Open) -> None:
    page = play("3^2", person="Listener")
    page.evaluate(
        """() => { window.tones = []; const start = OscillatorNode.prototype.start;
            OscillatorNode.prototype.start = function (at) {
                window.tones.push(Math.round(this.frequency.value)); start.call(this, at); }; }"""
    )
    put(page, 0)
    assert page.evaluate("window.tones.length") == 0
    page.get_by_role("button", name="More", exact=True).click()
    switch = page.get_by_role("switch", name="Sound")
    assert switch.get_attribute("aria-checked") == "false"
    switch.click()
    assert switch.get_attribute("aria-checked") == "true"
    page.keyboard.press("Escape")
    page.evaluate("window.tones.length = 0")
    put(page, 4, 1, 5)
    assert page.evaluate("window.tones.length") == 9
    put(page, 2)
    assert page.evaluate("window.tones.length") == 15
    page.reload()
    ready(page)
    assert page.get_by_label("Sound").get_attribute("aria-checked") == "true"


def test_the_title_and_the_icon_say_whose_turn_it_is(pair: Open) -> None:
    ada, bob = pair("3^3")
    plain = bob.title()
    assert plain == "3^3 · hyperoxo"
    ada.wait_for_function("document.title === '● Your move – 3×3×3'")
    dotted = "document.querySelector('link[rel~=icon]').href.startsWith('data:image/svg')"
    ada.wait_for_function(dotted)
    cell(ada, 13).click()
    bob.wait_for_function("document.title === '● Your move – 3×3×3'")
    bob.wait_for_function(dotted)
    ada.wait_for_function("title => document.title === title", arg=plain)
    ada.wait_for_function(f"!{dotted}")
    ada.get_by_role("button", name="Back", exact=True).click()
    bob.wait_for_function("document.title === '● Ada wants to take back move 1 – 3×3×3'")


def test_a_notification_comes_only_where_it_was_asked_for(pair: Open) -> None:
    ada, bob = pair("3^3")
    bob.evaluate(
        """() => { window.notified = []; window.requests = 0;
            window.Notification = class { constructor(title) { window.notified.push(title); }
                static permission = "default";
                static async requestPermission() {
                    window.requests += 1; this.permission = "granted"; } };
            Object.defineProperty(document, "hidden", { get: () => true }); }"""
    )
    cell(ada, 0).click()
    bob.wait_for_selector(".cell[data-cell='1'].legal")
    assert bob.evaluate("[window.notified, window.requests]") == [[], 0]
    cell(bob, 1).click()
    bob.get_by_role("button", name="More", exact=True).click()
    switch = bob.get_by_role("switch", name="Notify me")
    switch.click()
    bob.wait_for_function("window.requests === 1")
    ada.wait_for_selector(".cell[data-cell='2'].legal")
    cell(ada, 2).click()
    bob.wait_for_function("window.notified.length > 0")
    assert bob.evaluate("window.notified") == ["Your move"]
    switch.click()
    cell(bob, 3).click()
    ada.wait_for_selector(".cell[data-cell='4'].legal")
    cell(ada, 4).click()
    bob.wait_for_selector(".cell[data-cell='5'].legal")
    assert bob.evaluate("window.notified.length") == 1


def test_silence_is_said_and_a_press_shows_its_stone_at_once(site: Site, open_page: Open) -> None:
    """The network takes what the page sends, and nothing comes back: nobody closes anything."""
    made = site.make("3^2", [HOT, HOT])
    page = open_page("/about")
    lines: list[dict[str, bool]] = []

    def between(ours: Any) -> None:
        lines.append(line := {"cut": False})
        server = ours.connect_to_server()
        ours.on_message(lambda text: None if line["cut"] else server.send(text))
        server.on_message(lambda text: None if line["cut"] else ours.send(text))

    page.route_web_socket("**/live/*", between)
    page.goto(site.url + made["urls"][0])
    ready(page)
    assert page.locator("#lost").is_hidden()
    lines[-1]["cut"] = True
    cell(page, 4).click()
    page.mouse.move(0, 0)
    page.wait_for_selector(".cell[data-cell='4'] .ghost.p1")
    said(page, "Sending…")
    page.locator("#lost").wait_for(state="visible")
    assert site.state(page)["moves"] == []
    # The page gives the silent connection up and makes another: the move can be made again.
    page.wait_for_function("!window.oxoGame.sent")
    page.locator("#lost").wait_for(state="hidden")
    put(page, 4)
    page.close()  # its route stays with it


def test_being_offline_is_said_at_once(play: Open) -> None:
    page = play("3^2", person="Traveller")
    page.context.set_offline(True)
    page.locator("#lost").wait_for(state="visible")
    page.context.set_offline(False)
    page.locator("#lost").wait_for(state="hidden")
