import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pythonWith } from '../../tools/checks/python-tool.ts';
import { filledIn, runbookCommands } from '../support/runbook-commands.ts';
import { type Context, flags } from './cdk.ts';
import type { Commands } from './commands.ts';
import type { Emulator } from './emulator.ts';
import type { Report } from './report.ts';
import { refuseRealAws, type Sandbox } from './sandbox.ts';

const STAGE = 'dev';
const DEPLOY = /^npx cdk deploy/;
const SETTINGS = /^npm run settings/;
const DOCTOR = /^npm run doctor/;
const PUBLIC_KEY = /--include-value/;

/** What the runbook says that a command shows; of the others, that they end well is all there is to see. */
const SHOWS: readonly (readonly [command: RegExp, shows: RegExp])[] = [
  [/describe-stacks/, /^RefresherName\t\S+$/m],
  [/get-api-key --api-key <id>/, /"name": "\S+"/],
  [PUBLIC_KEY, /^\S{20,}\s*$/],
  [/^curl/, /^HTTP\/1\.1 200/],
  [/--payload/, /"StatusCode": 200/],
  [/--invocation-type Event/, /"StatusCode": 202/],
  [SETTINGS, /refreshMinutes/],
  [/sqs receive-message/, /"ERROR_CODE"/],
  [DOCTOR, /\S/],
];

/** Outputs of the stack that name a queue. */
const QUEUES = ['FailedQueueUrl', 'UndeliveredQueueUrl'] as const;
/** As the scheduler sends what it could not deliver. */
const UNDELIVERED = { ERROR_CODE: { DataType: 'String', StringValue: 'Lambda.TooManyRequestsException' } };

export interface RunbookOptions {
  readonly emulator: Emulator;
  readonly sandbox: Sandbox;
  readonly commands: Commands;
  readonly report: Report;
  readonly outputs: Readonly<Record<string, string>>;
  /** Where the emulator serves the API, stage included. */
  readonly apiUrl: string;
  /** The simulated upstream. */
  readonly upstream: string;
}

/**
 * The commands of docs/runbook.md as they stand there, typed into a shell with the AWS CLI. What is in brackets is an
 * output of the stack.
 */
export class Runbook {
  readonly #options: RunbookOptions;
  readonly #commands = runbookCommands('MiniStack');
  /** By output: what stands for it in a command, where that is not its value. */
  #insteadOf: Readonly<Record<string, string>> = {};

  constructor(options: RunbookOptions) {
    this.#options = options;
  }

  /** All but the deployment, one after the other: each is a step of the report. */
  async lookAround(context: Context): Promise<void> {
    const { report } = this.#options;
    await report.step('queues like those of the stack', () => this.#makeQueues());
    let key = '';
    // The key comes first, since the way around the front door needs it.
    const [first, ...rest] = this.#commands
      .filter((command) => !DEPLOY.test(command))
      .sort((one, other) => Number(PUBLIC_KEY.test(other)) - Number(PUBLIC_KEY.test(one)));
    for (const command of [first ?? '', ...rest]) {
      await report.step(`runbook: ${command}`, async () => {
        // As a variable: the emulator's keys hold signs that mean something to a shell, AWS's do not.
        const dots = command.startsWith('curl') ? '$PUBLIC_KEY' : flags(context).join(' ');
        const shown = await this.#run(command, dots, { PUBLIC_KEY: key });
        if (PUBLIC_KEY.test(command)) key = shown.trim();
        const wanted = SHOWS.find(([pattern]) => pattern.test(command))?.[1];
        if (wanted && !wanted.test(shown)) throw new Error(`It shows ${JSON.stringify(shown.slice(0, 500))}`);
      });
    }
    await report.step("runbook: the doctor's report has come from the function", async () => {
      const { verdict } = JSON.parse(
        await readFile(join(this.#options.sandbox.folder, 'doctor.json'), 'utf8'),
      );
      if (!['well', 'degraded'].includes(verdict)) throw new Error(`The verdict is ${verdict}`);
      return verdict;
    });
    for (const QueueUrl of Object.values(this.#insteadOf)) {
      await this.#options.emulator.call('sqs', 'delete_queue', { QueueUrl });
    }
  }

  /** The stack's own refuse calls without TLS, and the emulator speaks plain HTTP. */
  async #makeQueues(): Promise<void> {
    const { emulator } = this.#options;
    const made = await Promise.all(
      QUEUES.map(async (output) => {
        const { QueueUrl } = await emulator.call<{ QueueUrl: string }>('sqs', 'create_queue', {
          QueueName: `like-${output}`,
        });
        const message = { QueueUrl, MessageBody: '{}', MessageAttributes: UNDELIVERED };
        await emulator.call('sqs', 'send_message', message);
        return [`<${output}>`, QueueUrl] as const;
      }),
    );
    this.#insteadOf = Object.fromEntries(made);
  }

  /** Deploys a change as the runbook says. */
  async deploy(context: Context): Promise<void> {
    const command = this.#commands.find((text) => DEPLOY.test(text)) ?? '';
    const { folder } = this.#options.sandbox;
    // The page leaves out what a person says at the prompt.
    const options = `--require-approval never --no-notices --output ${join(folder, 'cdk.out')}`;
    await this.#run(command, `${flags(context).join(' ').replace(/^-c /, '')} ${options}`);
  }

  /** @param dots what stands for `…` */
  async #run(
    command: string,
    dots: string,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const { sandbox, commands, outputs, apiUrl, upstream } = this.#options;
    refuseRealAws(sandbox.environment);
    const named = Object.entries(outputs).map(([name, value]) => [`<${name}>`, value] as const);
    const text = filledIn(command, {
      ...Object.fromEntries(named),
      ...this.#insteadOf,
      '<ApiUrl>': apiUrl,
      '<stage>': STAGE,
      '<id>': outputs.PublicApiKeyId ?? '',
      '…': SETTINGS.test(command) ? dots.replace(/^-c /, '') : dots,
    });
    const urls = ['gamma', 'clob', 'data'].map((name) => `--${name}-url ${upstream}`).join(' ');
    const environment = {
      ...sandbox.environment,
      ...variables,
      PATH: `${dirname(await pythonWith('awscli'))}:${sandbox.environment.PATH}`,
    };
    // Said twice, since version 1 of the AWS CLI asks for queues at an address of its own, whatever the environment says.
    const aws = text.replace(/^aws /, `aws --endpoint-url ${sandbox.endpoint} `);
    return await commands.run('bash', ['-c', DOCTOR.test(command) ? `${text} -- ${urls}` : aws], {
      environment,
      // What a command writes is gone with the sandbox; npm and npx need the project.
      cwd: /^(?:aws|curl) /.test(command) ? sandbox.folder : process.cwd(),
    });
  }
}
