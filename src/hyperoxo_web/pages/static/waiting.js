// A page that is on its way: what it needs is prepared first, once.
export default {
  props: { name: String },
  template: `<div class="page"><h1>{{ name }}</h1><p class="lead">Loading. The page opens when it is ready.</p></div>`,
};
