// How does a description become what is on the screen? `h` describes an element, `render` makes a place agree with it.
//
// Elements are matched by their `key`, else by their order, and are changed where they stand: whatever has the focus, is
// scrolled or is being typed into stays so. With `keep` the inside is left to somebody else. Text is set as text and nothing
// else: there is no way to write markup.

const SVG = "http://www.w3.org/2000/svg";
const described = new WeakMap(); // element → the description it agrees with

/** An element: `h("button", { class: "big", onclick: f }, "Text", …)`. Children may be nested lists; null and false are none. */
export function h(tag, props, ...children) {
  const kept = children.flat(Infinity).filter((child) => child != null && child !== false);
  return { tag, key: props?.key, props: props ?? {}, children: kept };
}

/** Make what is in `place` agree with a description, or a list of them. */
export function render(place, ...tree) {
  agree(place, tree.flat(Infinity).filter((child) => child != null && child !== false));
}

function agree(place, children) {
  const keyed = new Map(), plain = [];
  for (const node of place.childNodes) {
    const key = described.get(node)?.key;
    if (key === undefined) plain.push(node);
    else keyed.set(key, node);
  }
  const nodes = children.map((child) => {
    const node = child.key === undefined ? taken(plain, child) : keyed.get(child.key);
    return node !== undefined && fits(node, child) ? changed(node, child) : made(place, child);
  });
  const wanted = new Set(nodes);
  for (const node of [...place.childNodes]) if (!wanted.has(node)) node.remove();
  let next = place.firstChild;
  for (const node of nodes) {
    if (node === next) next = next.nextSibling;
    else place.insertBefore(node, next);
  }
}

function taken(plain, child) {
  const at = plain.findIndex((node) => fits(node, child));
  return at < 0 ? undefined : plain.splice(at, 1)[0];
}

function fits(node, child) {
  const before = described.get(node);
  return typeof child === "object" ? before?.tag === child.tag && before.key === child.key : node.nodeType === 3;
}

function made(place, child) {
  if (typeof child !== "object") return document.createTextNode(child);
  const svg = child.tag === "svg" || (place.namespaceURI === SVG && place.localName !== "foreignObject");
  const node = svg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
  described.set(node, { tag: child.tag, key: child.key, props: {} });
  changed(node, child);
  child.props.made?.(node);
  return node;
}

function changed(node, child) {
  if (typeof child !== "object") {
    if (node.data !== String(child)) node.data = child;
    return node;
  }
  const before = described.get(node).props;
  for (const name in before) if (!(name in child.props)) set(node, name, null, before[name]);
  if (!child.props.keep) agree(node, child.children); // before the properties: the value of a select is one of its options
  for (const name in child.props) set(node, name, child.props[name], before[name]);
  described.set(node, child);
  return node;
}

function set(node, name, value, before) {
  if (name === "key" || name === "made" || name === "keep") return;
  if (name.startsWith("on")) node[name] = value;
  else if (name === "value" || name === "checked" || name === "open") {
    if (node[name] !== value) node[name] = value ?? "";
  } else if (name === "style") {
    for (const one in before ?? {}) if (!(one in (value ?? {}))) node.style.removeProperty(one);
    for (const one in value ?? {}) node.style.setProperty(one, value[one]);
  } else if (value == null || (value === false && !name.startsWith("aria-"))) node.removeAttribute(name);
  else if (value !== before) node.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : value);
}
