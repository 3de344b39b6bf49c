/**
 * The daily job that writes the snapshots of the day before as Parquet files, and the S3 bucket
 * that keeps them (docs/archive.md).
 */
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  CfnBucket,
  type IBucket,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { ARCHIVE_MINUTE } from '../lambda/core/contract/constants.ts';
import { ARCHIVE_PROCESS } from '../lambda/io/platform/environment.ts';
import { ARCHIVE_FOLDER } from '../lambda/io/platform/storage-layout.ts';
import { acknowledge } from './acknowledge.ts';
import type { StageConfig } from './config/stage-config.ts';
import { Schedules } from './schedules.ts';
import { ServiceFunction } from './service-function.ts';
import type { SnapshotTable } from './tables.ts';

interface ArchiverProps {
  readonly stage: StageConfig;
  readonly snapshots: SnapshotTable;
  readonly version: string;
}

/**
 * From 1,769 MB on, a function has a full virtual CPU. The job mostly parses, so it uses it. A day
 * of 2,000 markets needs a quarter of the memory; one of 10,000, extrapolated, at most four fifths.
 */
const MEMORY_MB = 2_560;
/** How long the bucket keeps a file that somebody replaced or deleted. */
const OLD_VERSIONS = Duration.days(30);

/**
 * The job and the bucket. Lambda repeats a failed run twice; the next day's run writes missing
 * days.
 */
export class Archiver extends Construct {
  /** A new bucket, or the operator's own, which the setting `archive` names. */
  readonly bucket: Bucket | IBucket;
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, { stage, snapshots, version }: ArchiverProps) {
    super(scope, id);
    const name = stage.archive;
    this.bucket =
      typeof name === 'string' ? Bucket.fromBucketName(this, 'Bucket', name) : this.#newBucket();
    this.function = new ServiceFunction(this, 'Function', {
      handler: 'archive-snapshots',
      description: 'Writes the snapshots of a day as Parquet files',
      memoryMb: MEMORY_MB,
      timeout: Duration.minutes(15),
      stage,
      environment: {
        SNAPSHOT_TABLE: snapshots.table.tableName,
        GAMMA_URL: stage.upstreamUrls.gamma,
        DATA_URL: stage.upstreamUrls.data,
        ARCHIVE_BUCKET: this.bucket.bucketName,
        SERVICE_VERSION: version,
        UPSTREAM: stage.upstreamUrl === undefined ? 'live' : 'simulated',
        STAGE: stage.name,
      },
      access: [
        { actions: ['dynamodb:GetItem', 'dynamodb:Query'], resource: snapshots.table.tableArn },
        {
          actions: ['s3:GetObject', 's3:PutObject'],
          resource: this.bucket.arnForObjects(`${ARCHIVE_FOLDER}*`),
        },
        // Without this right, S3 returns 403 for a missing file. That request has no prefix, so the
        // condition can refuse lists of other folders, but not a list without a prefix.
        {
          actions: ['s3:ListBucket'],
          resource: this.bucket.bucketArn,
          conditions: { StringLikeIfExists: { 's3:prefix': `${ARCHIVE_FOLDER}*` } },
        },
      ],
    });
    for (const [variable, value] of Object.entries(ARCHIVE_PROCESS))
      this.function.addEnvironment(variable, value);
    acknowledge(this, {
      [`AwsSolutions-IAM5[Resource::${this.#filesInFinding()}]`]:
        'The function reads and writes all files of the archive, whose names hold the date.',
    });
    new Schedules(this, 'Schedules', this.function, [{ id: 'Daily', cron: `${ARCHIVE_MINUTE} 0` }]);
  }

  #newBucket(): Bucket {
    const bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      versioned: true,
      lifecycleRules: [
        { noncurrentVersionExpiration: OLD_VERSIONS, expiredObjectDeleteMarker: true },
        // Each run leaves a claim. The next run reads only the claims of the last minute.
        { prefix: `${ARCHIVE_FOLDER}claims/`, expiration: Duration.days(1) },
      ],
      // The files cannot be made again. If the first deployment fails, no bucket remains.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    acknowledge(bucket, {
      'AwsSolutions-S1':
        'The files are not secret, and an access log needs a second bucket that nobody empties.',
    });
    return bucket;
  }

  /**
   * The files of the archive, written as in the name of cdk-nag's finding about the right to them.
   */
  #filesInFinding(): string {
    const { defaultChild } = this.bucket.node;
    const arn =
      defaultChild instanceof CfnBucket
        ? `<${Stack.of(this).getLogicalId(defaultChild)}.Arn>`
        : `arn:aws:s3:::${this.bucket.bucketName}`;
    return `${arn}/${ARCHIVE_FOLDER}*`;
  }
}
