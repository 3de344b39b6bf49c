import { createS3Store } from '../io/archive/s3-store.ts';
import { type Environment, readEnvironment } from '../io/platform/environment.ts';
import { ARCHIVE_FOLDER } from '../io/platform/storage-layout.ts';
import { createArchive } from '../jobs/archive/archive-job.ts';

/**
 * Makes the job that writes the archive into its bucket. EventBridge runs it daily at 00:20 UTC; a
 * person can run it by hand. It skips days that already have a manifest.
 */
export function create(environment: Environment): () => Promise<void> {
  const { ARCHIVE_BUCKET: bucket } = readEnvironment('archive-snapshots', environment);
  const store = createS3Store({
    bucket,
    folder: ARCHIVE_FOLDER,
    endpoint: environment.AWS_ENDPOINT_URL,
  });
  const archive = createArchive(environment, store);
  return () => archive.run();
}
