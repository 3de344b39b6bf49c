// npm start: plain JavaScript, so that a Node.js which cannot run TypeScript can say what to do.
const [major] = process.versions.node.split('.');
if (Number(major) >= 24) {
  await import('./main.ts');
} else {
  console.error(
    `This is Node.js ${process.versions.node}; the program needs 24. Either let npm install it beside the other ` +
      'dependencies (npm ci --ignore-scripts=false), or switch to it: nvm use.',
  );
  process.exitCode = 1;
}
