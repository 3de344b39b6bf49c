import { json, type SimulatedResponse } from '../http/response.ts';
import type { UpstreamRequest } from '../route.ts';
import type { Instrument } from '../source.ts';
import type { State } from '../state.ts';
import { dataError, unknownParameter } from './errors.ts';
import { named } from './window.ts';

const MOST_TOKENS = 50;
const MOST_CONDITIONS = 10;

/** `GET /v2/tokens?token_id=1,2` or `?condition=0x…`: what the tokens are; unknown ones are missing. */
export function dataTokens({ query }: UpstreamRequest, state: State): SimulatedResponse {
  const stranger = unknownParameter(query, ['token_id', 'tokenId', 'condition']);
  if (stranger !== undefined) return stranger;
  const tokens = listOf(named(query, 'token_id'));
  const conditions = listOf(query.get('condition') ?? undefined);
  if (tokens.length > MOST_TOKENS) return tooMany('token_id', MOST_TOKENS);
  if (conditions.length > MOST_CONDITIONS) return tooMany('condition', MOST_CONDITIONS);
  if ((tokens.length === 0) === (conditions.length === 0)) {
    return dataError('invalid_request', 'exactly one of token_id or condition is required');
  }
  const narrow = conditions.find((condition) => !/^0x[0-9a-fA-F]{64}$/.test(condition));
  if (narrow !== undefined) {
    return dataError('invalid_request', `invalid condition id: ${narrow}`, 'condition');
  }
  const ids = [
    ...tokens,
    ...conditions.flatMap((condition) => state.source.assetIds(condition.toLowerCase()) ?? []),
  ];
  return json(200, { data: ids.flatMap((id) => row(state.source.instrument(id))) });
}

function row(instrument: Instrument | undefined) {
  if (instrument === undefined) return [];
  const { about, outcome, endedAt, version, negRisk } = instrument;
  return [
    {
      token_id: instrument.token,
      condition_id: instrument.conditionId,
      structural_condition_id: version === 'v2' ? instrument.conditionId : null,
      module: version === 'v1' ? 'v1_ctf' : negRisk ? 'neg_risk' : 'binary',
      outcome_index: outcome,
      clob_index: outcome,
      outcome: about.outcome,
      opposite_token_id: instrument.opposite,
      resolved: endedAt !== undefined,
      final_price: endedAt === undefined ? null : 1 - outcome,
      title: about.question,
      market_slug: about.slug,
      closed: endedAt !== undefined,
      neg_risk: negRisk,
      neg_risk_market_id: null,
      question_index: null,
      event_id: about.eventId === undefined ? null : Number(about.eventId),
      event_slug: about.eventSlug ?? null,
    },
  ];
}

function listOf(text: string | undefined): readonly string[] {
  return (text ?? '').split(',').filter((part) => part !== '');
}

function tooMany(parameter: string, most: number): SimulatedResponse {
  return dataError('invalid_request', `at most ${most} values are allowed for '${parameter}'`, parameter);
}
