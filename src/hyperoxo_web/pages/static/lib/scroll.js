// Parts that follow their size; a table that may be wider than the page.

/** A part that calls its `resized` when it is there, and when it or an element it names changes size. */
export const sized = {
  mounted() {
    this.resized();
    this.observer = new ResizeObserver(() => this.resized());
    for (const element of this.observed?.() ?? [this.$el]) this.observer.observe(element);
  },
  beforeUnmount() {
    this.observer.disconnect();
  },
};

/** A table that fades where more of it is, and that keys scroll. */
export const Scroll = {
  mixins: [sized],
  props: { label: String },
  data: () => ({ before: false, after: false }),
  computed: {
    wide: (vm) => vm.before || vm.after,
  },
  methods: {
    observed() {
      return [this.$el, this.$el.firstElementChild];
    },
    resized() {
      const { scrollLeft, scrollWidth, clientWidth } = this.$el;
      this.before = scrollLeft > 1;
      this.after = scrollLeft + clientWidth < scrollWidth - 1;
    },
  },
  template: `<div class="scroll" :class="{ before, after }" :tabindex="wide ? 0 : null" :role="wide ? 'region' : null" :aria-label="wide ? label : null" @scroll.passive="resized"><slot/></div>`,
};
