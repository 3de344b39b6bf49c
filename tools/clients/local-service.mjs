// The examples of the client's README name the address of `npm start`. This module, which `node --import` loads before
// them, sends their requests to the service in LOCAL_SERVICE, so that they run as they are printed.
const { fetch } = globalThis;
globalThis.fetch = (request) =>
  fetch(new Request(request.url.replace('http://127.0.0.1:3000', process.env.LOCAL_SERVICE), request));
