/** For paths below `/market` and `/event`. API Gateway sends JSON for all other unknown paths. */
export const NOT_FOUND_HTML = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Page not found · Prediction markets</title>
<style>
body { max-width: 34rem; margin: 18vh auto; padding: 0 1.25rem; font: 1.05rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; }
</style>
<p>Prediction markets
<h1>There is no page here</h1>
<p>The link may be old or incomplete. <a href="/">Show all markets</a>, <a href="/docs">the API</a>.
</html>
`;
