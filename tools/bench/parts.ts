import type { Part } from './harness/part.ts';
import { bookPart } from './parts/book.ts';
import { bundlesPart } from './parts/bundles.ts';
import { coldPart } from './parts/cold.ts';
import { costPart } from './parts/cost.ts';
import { growthPart } from './parts/growth.ts';
import { httpPart } from './parts/http.ts';
import { listPart } from './parts/list.ts';
import { othersPart } from './parts/others.ts';
import { queryPart } from './parts/query.ts';
import { refreshPart } from './parts/refresh.ts';
import { searchPart } from './parts/search.ts';
import { takeoverPart } from './parts/takeover.ts';

/** Every part, in the order of the report. */
export const PARTS: readonly Part[] = [
  listPart,
  queryPart,
  searchPart,
  coldPart,
  bundlesPart,
  takeoverPart,
  refreshPart,
  bookPart,
  othersPart,
  httpPart,
  growthPart,
  costPart,
];
