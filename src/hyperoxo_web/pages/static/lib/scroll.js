// A table that may be wider than the page: it fades where more of it is, and keys scroll it.
export const Scroll = {
  props: { label: String },
  data: () => ({ before: false, after: false }),
  mounted() {
    this.watcher = new ResizeObserver(() => this.look());
    for (const one of [this.$el, this.$el.firstElementChild]) this.watcher.observe(one);
  },
  beforeUnmount() {
    this.watcher.disconnect();
  },
  computed: {
    wide: (vm) => vm.before || vm.after,
  },
  methods: {
    look() {
      const { scrollLeft, scrollWidth, clientWidth } = this.$el;
      this.before = scrollLeft > 1;
      this.after = scrollLeft + clientWidth < scrollWidth - 1;
    },
  },
  template: `<div class="scroll" :class="{ before, after }" :tabindex="wide ? 0 : null" :role="wide ? 'region' : null" :aria-label="wide ? label : null" @scroll.passive="look"><slot/></div>`,
};
