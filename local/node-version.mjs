// Loaded first, in syntax that an old Node can read.
const MIN_MAJOR = 24;
if (Number.parseInt(process.versions.node, 10) < MIN_MAJOR) {
  console.error(
    `This needs Node ${MIN_MAJOR}. \`npm ci\` brings it, unless it leaves out optional packages. This is Node ${process.versions.node}.`,
  );
  process.exit(1);
}
