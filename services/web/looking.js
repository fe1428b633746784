// How does a screen stay new that no stream tells of? It looks again and again, while somebody looks at it.

/**
 * Call `look()` again and again: so many milliseconds after it is done as it answers with, and when the tab is seen again; null is
 * the end of it. Answers with a function that looks at once. Ends with `signal`.
 */
export function looking(look, signal) {
  let timer = 0, looks = 0, over = false;

  async function again() {
    clearTimeout(timer);
    if (over || signal.aborted || document.visibilityState !== "visible") return;
    const mine = ++looks, pause = await look();
    over ||= pause === null;
    if (mine === looks && !over && !signal.aborted) timer = setTimeout(again, pause);
  }

  document.addEventListener("visibilitychange", again, { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));
  return again;
}
