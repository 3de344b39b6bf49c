import { describe, expect, it } from '@jest/globals';
import { marketDetails } from '../../../../lambda/domain/market-details.ts';
import { catalogueMarket } from '../../../support/catalogue-market.ts';

describe('the details of a market', () => {
  it('are what the catalogue says beyond the public fields', () => {
    const details = marketDetails(catalogueMarket(1, { eventSlug: 'an-event', tags: ['nba'] }), 12.345);
    expect(details).toEqual({
      bestBid: 0.445,
      bestAsk: 0.455,
      spread: 0.01,
      lastTradePrice: 0.4,
      eventSlug: 'an-event',
      tags: ['nba'],
      outcomes: [
        { label: 'Yes', tokenId: expect.any(String), probability: 12.345 },
        { label: 'No', tokenId: expect.any(String), probability: 87.655 },
      ],
      protocolVersion: 'v1',
    });
  });

  it('price the outcome that is not YES as the rest, whichever comes first', () => {
    const { outcomes } = catalogueMarket(1);
    const turned = catalogueMarket(1, { outcomes: outcomes.toReversed() });
    expect(
      marketDetails(turned, 99.9).outcomes.map(({ label, probability }) => [label, probability]),
    ).toEqual([
      ['No', 0.1],
      ['Yes', 99.9],
    ]);
  });

  it('keep the prices of the catalogue for the others of three outcomes', () => {
    const yes = catalogueMarket(1).yesTokenId;
    const outcomes = [
      { label: 'A', tokenId: yes, probability: 30 },
      { label: 'B', tokenId: '2', probability: 50 },
      { label: 'C', tokenId: '3' },
    ];
    const details = marketDetails(catalogueMarket(1, { outcomes }), 31);
    expect(details.outcomes).toEqual([{ ...outcomes[0], probability: 31 }, outcomes[1], outcomes[2]]);
  });
});
