/** Default User-Agents of HTTP libraries, which upstream's edge refuses; a service that names itself passes. */
const LIBRARIES = [
  'node',
  'undici',
  'node-fetch',
  'axios',
  'got',
  'superagent',
  'python-requests',
  'python-urllib',
  'python-httpx',
  'aiohttp',
  'go-http-client',
  'java',
  'okhttp',
  'apache-httpclient',
  'libwww-perl',
  'ruby',
  'reqwest',
  'guzzlehttp',
];
const LIBRARY = new RegExp(`^(python/\\S+ )?(${LIBRARIES.join('|')})([/ ]|$)`, 'i');

/** Whether a User-Agent gets 403 `error code: 1010`. */
export function isRefusedAgent(agent: string | undefined): boolean {
  return agent === undefined || agent.trim() === '' || LIBRARY.test(agent);
}
