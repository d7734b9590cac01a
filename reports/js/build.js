// Elements from plain values. Whatever a report holds enters the page as text: nothing here parses markup.
const TAGS = new Set(
  ("article section header div p span ul ol li dl dt dd h3 h4 h5 table caption thead tbody tr th td details summary " +
    "blockquote pre code mark small strong a q").split(" "),
);
const ATTRIBUTES = new Set(
  "class id href dir title role tabindex scope open aria-label aria-hidden".split(" "),
);

// A tree as audit/reports/nodes.py writes it: a text, or [tag, attributes, child, …].
function build(tree) {
  if (typeof tree === "string") return document.createTextNode(tree);
  const [tag, attributes, ...children] = tree;
  if (!TAGS.has(tag)) throw new Error(`a page can't hold <${tag}>`);
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (ATTRIBUTES.has(name) && (name !== "href" || value.startsWith("#"))) node.setAttribute(name, value);
  }
  node.append(...children.map(build));
  return node;
}

// Our own elements; children are nodes and texts.
function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}
const byId = (id) => document.getElementById(id);
