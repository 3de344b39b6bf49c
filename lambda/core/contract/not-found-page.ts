/** Served by the function of the page, by API Gateway and by the local server. */
export const NOT_FOUND_HTML = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Page not found · Prediction markets</title>
<h1>There is no page here</h1>
<p>The link may be old or incomplete. <a href="/">Show all markets</a>, <a href="/docs">the API</a>.
</html>
`;
