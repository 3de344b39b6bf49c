import { callersQuestion } from './callers.ts';
import { capacityQuestion } from './capacity.ts';
import { costQuestion } from './cost.ts';
import { dataQuestion } from './data.ts';
import type { OperatorQuestion } from './operator-question.ts';
import { upstreamQuestion } from './upstream.ts';

/** What the operator asks, in the order of the dashboard. */
export const QUESTIONS: readonly OperatorQuestion[] = [
  dataQuestion,
  callersQuestion,
  upstreamQuestion,
  capacityQuestion,
  costQuestion,
];
