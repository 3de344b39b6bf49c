/**
 * Requests an address ten times a second; returns how often each status came, and the start of the
 * last text.
 */
export async function handler({ url, calls }) {
  const statuses = {};
  let text = '';
  for (let call = 0; call < calls; call += 1) {
    const started = Date.now();
    const response = await fetch(url);
    text = (await response.text()).trim().slice(0, 40);
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 100 - (Date.now() - started))));
  }
  return { statuses, text };
}
