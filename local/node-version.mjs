// Ends the process with a sentence if Node is too old. Loaded before all other code, so its syntax
// is one that an old Node can read.

// The first version of Node 24 whose zlib accepts a dictionary for zstd, as the snapshots need.
const MIN_VERSION = '24.6.0';
const { node } = process.versions;
if (node.localeCompare(MIN_VERSION, 'en', { numeric: true }) < 0) {
  const advice = '`npm ci` brings it, unless it leaves out optional packages.';
  console.error(`This needs Node ${MIN_VERSION} or newer. ${advice} This is Node ${node}.`);
  process.exit(1);
}
