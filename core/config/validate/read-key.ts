import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { ErrorObject } from 'ajv';
import type { LossPolicy } from '../../canonical/loss.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { CostHeaders, HostedToolsPolicy, Limit } from '../../contracts/caller.ts';
import type { VendorStatePolicy } from '../../contracts/request-members.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { describePath } from '../describe-path.ts';
import { describeViolation } from './describe-violation.ts';
import { isTime, parseExpiry } from '../units/expiry.ts';
import { readLimits } from './read-limits.ts';
import { definitions } from '../schema/definitions.ts';
import { keySettings } from '../schema/organization.ts';
import { section } from '../schema/section.ts';
import { compileSchema, readPointer } from './validate.ts';

/** The settings of a key that is to be created. */
export interface KeyRequest {
  readonly name: string;
  readonly organization: string;
  readonly project: string;
  readonly models: readonly string[];
  /** Absent: the key has the `keyLimits` of its project, its organization or the gateway. */
  readonly limits?: readonly Limit[];
  readonly losses?: LossPolicy;
  readonly vendorState?: VendorStatePolicy;
  readonly costHeaders?: CostHeaders;
  readonly hostedTools?: HostedToolsPolicy;
  /** Unix milliseconds. */
  readonly expires?: number;
}
type DraftRequest = Omit<KeyRequest, 'limits' | 'expires'> & { readonly limits?: unknown; readonly expires?: string };

const name: JsonObject = { $ref: '#/definitions/name' };
const { models, losses, vendorState, costHeaders, hostedTools, expires } = keySettings;
/** `limits` accepts anything here: `readLimits` validates it. */
const schema = section(
  'A key.',
  {
    name,
    organization: { ...name, default: 'default' },
    project: { ...name, default: 'default' },
    models,
    losses,
    vendorState,
    costHeaders,
    hostedTools,
    limits: {},
    expires,
  },
  ['name'],
);

const compile = () => compileSchema<DraftRequest>({ ...schema, definitions: { name: definitions['name'] } });
let validate: ReturnType<typeof compile> | undefined;

const ROOT = ['key'] as const;
const describe = (error: ErrorObject, value: unknown): never => {
  const missing: unknown = error.params['missingProperty'];
  const { path, message } = describeViolation(error, [...ROOT, ...readPointer(error.instancePath, value)], {
    isInterpolated: () => false,
    isWritten: () => false,
  });
  const inside = typeof missing === 'string' ? [...path.slice(ROOT.length), missing] : path.slice(ROOT.length);
  throw invalidRequest(inside.length === 0 ? '' : describePath(inside), message);
};

/**
 * Validates the settings of a new key from the admin API or the command line, by the schema of the file:
 * `{ name, organization?, project?, models?, limits?, losses?, vendorState?, costHeaders?, hostedTools?, expires? }`.
 * @param value parsed JSON; not modified
 * @throws GatewayError `invalid_request` for the first invalid member
 */
export function readKeyRequest(value: unknown): KeyRequest {
  validate ??= compile();
  const draft: unknown = structuredClone(value);
  if (!validate(draft)) {
    const [error] = validate.errors ?? [];
    throw error === undefined ? invalidRequest('', 'The settings of the key are not valid.') : describe(error, draft);
  }
  const { limits, expires: end, ...rest } = draft;
  if (end !== undefined && !isTime(end)) throw invalidRequest('expires', 'key.expires is not a valid date or time.');
  return omitUndefined({
    ...rest,
    limits: limits === undefined ? undefined : readLimits(limits, 'limits'),
    expires: end === undefined ? undefined : parseExpiry(end),
  });
}
