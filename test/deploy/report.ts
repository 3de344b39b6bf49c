import { messageOf } from 'cdk-local';

/** What was shown and what was not, said as it happens. */
export class Report {
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  get failed(): number {
    return this.#failed;
  }

  /** Does what the name says, and counts it. @throws what it throws: what follows needs it */
  async step<T>(name: string, work: () => Promise<T>): Promise<T> {
    console.log(`… ${name}`);
    const started = performance.now();
    try {
      const result = await work();
      const detail = typeof result === 'string' ? `: ${result}` : '';
      this.passed(`${name} (${((performance.now() - started) / 1_000).toFixed(1)} s)${detail}`);
      return result;
    } catch (error) {
      this.failure(name, messageOf(error));
      throw error;
    }
  }

  passed(what: string): void {
    this.#passed += 1;
    console.log(`✓ ${what}`);
  }

  failure(what: string, why: string): void {
    this.#failed += 1;
    console.log(`✗ ${what}: ${why}`);
  }

  skipped(what: string, why: string): void {
    this.#skipped += 1;
    console.log(`- ${what}: ${why}`);
  }

  close(): void {
    console.log(`\ndeploy: ${this.#passed} passed, ${this.#failed} failed, ${this.#skipped} skipped`);
  }
}
