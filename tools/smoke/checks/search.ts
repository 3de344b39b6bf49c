import { QUERY_MAX_CHARACTERS, SEARCH_LIMIT_CAP } from '../../../lambda/contract/constants.ts';
import type { Market } from '../../../lambda/domain/market.ts';
import { CATEGORIES } from '../../../lambda/search/categories.ts';
import { checks } from '../check.ts';
import { ensure } from '../check-failure.ts';

const KEYWORDS = new Set(CATEGORIES.flatMap(({ keywords }) => keywords));
const CATEGORY = 'crypto';

export const SEARCH_CHECKS = checks([
  {
    name: 'search: finds a listed market by its words',
    run: async (deployment) => {
      // A word that names a category would select that instead of being looked for.
      const { id, question } = await deployment.market(({ question }) => !wordsOf(question).some(isKeyword));
      const q = [...question].slice(0, QUERY_MAX_CHARACTERS).join('');
      const { body } = await deployment.get<Market[]>('search-markets', {
        q,
        limit: String(SEARCH_LIMIT_CAP),
      });
      const place = body.findIndex((market) => market.id === id);
      ensure(place !== -1, `"${question}" is not among ${body.length} results for its own words`);
      return `place ${place + 1} of ${body.length} for "${q}"`;
    },
  },
  {
    name: 'search: a category, no more than fifty',
    run: async (deployment) => {
      const { body } = await deployment.get<Market[]>('search-markets', { q: CATEGORY, limit: '500' });
      ensure(body.length <= SEARCH_LIMIT_CAP, `${body.length} results, more than ${SEARCH_LIMIT_CAP}`);
      return `${body.length} for "${CATEGORY}"`;
    },
  },
]);

function wordsOf(question: string): string[] {
  return question.toLowerCase().split(/[^\p{L}\p{N}]+/u);
}

function isKeyword(word: string): boolean {
  return KEYWORDS.has(word);
}
