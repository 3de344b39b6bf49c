/** Ends the output with one plain line that a CI can read, after jest's own summary, which no reporter can follow. */
export default class ClosingLineReporter {
  onRunComplete(_contexts, results) {
    const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = results;
    const failed = Math.max(numFailedTests, numFailedTestSuites);
    process.once('exit', () => {
      console.log(`\njest: ${numPassedTests} passed, ${failed} failed, ${numPendingTests} skipped`);
    });
  }
}
