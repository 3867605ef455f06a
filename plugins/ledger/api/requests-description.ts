import type { CallDescription } from '../../../core/api/index.ts';
import { MAX_LIMIT } from './requests-request.ts';

const text = { type: 'string' };
const number = { type: 'number' };
const textOrNull = { type: ['string', 'null'] };
const numberOrNull = { type: ['number', 'null'] };
const objects = { type: 'array', items: { type: 'object' } };

const row = {
  id: text,
  state: { enum: ['pending', 'settled', 'abandoned', 'refused'] },
  time: text,
  organization: textOrNull,
  project: textOrNull,
  key: textOrNull,
  user: textOrNull,
  route: text,
  wire: text,
  operation: text,
  model: textOrNull,
  requestedModel: textOrNull,
  target: textOrNull,
  provider: textOrNull,
  stream: { type: ['boolean', 'null'] },
  status: numberOrNull,
  outcome: textOrNull,
  code: textOrNull,
  attempts: number,
  durationMs: numberOrNull,
  firstContentMs: numberOrNull,
  usage: { type: 'object' },
  cost: textOrNull,
  traceId: text,
  upstreamRequestId: textOrNull,
};

/** GET /admin/requests in the OpenAPI document of the admin API. */
export const requestsCall: CallDescription = {
  summary: 'Finds requests of the ledger, the newest first.',
  query: {
    from: 'Start, a day or a time in ISO 8601. Default: as far as rows are kept.',
    to: 'End, exclusive. Default: now.',
    organization: 'Organizations, separated by commas, as in all lists below.',
    project: 'Projects: acme/web, or web for all of this name.',
    key: 'Keys: acme/web/alice, or alice for all of this name.',
    model: 'Models of the catalog.',
    provider: 'Providers of the last attempt.',
    user: 'End users.',
    outcome: 'Outcomes, or their classes: success, client_error, limited, failure.',
    code: 'Codes of errors.',
    status: 'HTTP statuses that clients received.',
    minDurationMs: 'Requests that took at least so many milliseconds.',
    minCost: 'Requests that cost at least so many dollars.',
    tag: 'A tag and its value: team:blue.',
    limit: `Requests in one response, at most ${MAX_LIMIT}. Default: 50.`,
    cursor: 'The `next` of the response before, to continue.',
  },
  answer: {
    type: 'object',
    properties: {
      requests: { type: 'array', items: { type: 'object', properties: row } },
      next: {
        ...textOrNull,
        description: 'To continue. null: there are no more. A page can be short or empty before.',
      },
      searchedTo: { ...textOrNull, description: 'The time down to which the ledger has been searched.' },
    },
  },
};

/** GET /admin/requests/{id} in the OpenAPI document. */
export const requestCall: CallDescription = {
  summary: 'One request of the ledger with its attempts, losses, charges and error.',
  answer: {
    type: 'object',
    properties: {
      ...row,
      openedAt: text,
      attemptTrail: objects,
      losses: objects,
      charges: objects,
      price: textOrNull,
      cache: { type: 'object' },
      tier: textOrNull,
      region: textOrNull,
      vendorModels: { type: 'array', items: text },
      rawUsage: {},
      tags: { type: 'object' },
      annotations: { type: 'object' },
      message: textOrNull,
      traceLink: text,
    },
  },
};
