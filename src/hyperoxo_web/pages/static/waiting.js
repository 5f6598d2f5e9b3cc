// A page that is on its way: what it needs is prepared first, once.
export default {
  props: { name: String },
  template: `<div class="page"><h1>{{ name }}</h1><p class="lead">This page opens by itself in a moment.</p></div>`,
};
