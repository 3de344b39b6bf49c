import type { APIGatewayProxyEvent } from 'aws-lambda';
import { PER_IP_REFUSAL } from '../contract/errors.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Gate, Pass } from './rate-limit-middleware.ts';
import { type Answer, errorAnswer } from './response.ts';

/**
 * Asks the gate and does the work at the same time, so that the question costs no time. A refusal is answered at once:
 * the work is not waited for, and for a refusal that is known beforehand not even begun.
 *
 * @param work never rejects; its errors are answers
 */
export async function gated(
  gate: Gate | undefined,
  event: APIGatewayProxyEvent,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (!gate) return await work();
  const known = gate.knownRefusal(event);
  if (known) return refusal(event, known);
  const asked = gate.admit(event);
  const working = work();
  const pass = await asked;
  return pass.refused ? refusal(event, pass) : withHeaders(await working, pass);
}

function refusal(event: APIGatewayProxyEvent, pass: Pass): Answer {
  const error = new ServiceError('rate_limited', PER_IP_REFUSAL);
  return withHeaders(errorAnswer(error, event.requestContext.requestId), pass);
}

function withHeaders(answer: Answer, pass: Pass): Answer {
  return { ...answer, headers: { ...answer.headers, ...pass.headers } };
}
