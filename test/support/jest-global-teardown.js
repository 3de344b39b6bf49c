import { rm } from 'node:fs/promises';

export default async function teardown() {
  if (process.env.TEST_RUN_FOLDER) await rm(process.env.TEST_RUN_FOLDER, { recursive: true, force: true });
}
