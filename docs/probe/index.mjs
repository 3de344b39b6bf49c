/**
 * A Lambda function that a person deploys by hand, for "Measure the calls from Lambda" in
 * docs/first-deployment.md. It shows from which address a container calls, and whether Polymarket
 * serves ten calls a second from there.
 *
 * @param event the address to call, and the number of calls
 * @returns how many responses had each status, and the first 40 characters of the last one
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
