/** Ends the output with one plain line that a CI can read. */
export default class ClosingLineReporter {
  onRunComplete(_contexts, results) {
    const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = results;
    const failed = Math.max(numFailedTests, numFailedTestSuites);
    console.log(`\njest: ${numPassedTests} passed, ${failed} failed, ${numPendingTests} skipped`);
  }
}
