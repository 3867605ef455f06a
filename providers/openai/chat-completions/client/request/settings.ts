import type { GenerateRequest, JsonObject, OutputFormat, VendorOnly } from '../../../../../core/api/index.ts';
import {
  type ExtraMembers,
  isObject,
  lookUp,
  type Members,
  omitUndefined,
  readMembers,
} from '../../../../../core/api/codec.ts';
import { invalidMember, requiredObject } from '../../../request-members.ts';

const MAX_BIAS = 100;
const MAX_ALTERNATIVES = 20;

/** @throws GatewayError 400 for a bias that is no number from -100 to 100 */
export const checkBias = (body: Members): void => {
  for (const [token, bias] of Object.entries(body.rawObject('logit_bias') ?? {})) {
    if (typeof bias !== 'number' || Math.abs(bias) > MAX_BIAS) {
      throw invalidMember(`logit_bias.${token}`, `must be a number between -${MAX_BIAS} and ${MAX_BIAS}.`);
    }
  }
};

/**
 * `logprobs` and `top_logprobs`, which stay in `extra` as well: so a server of this wire gets what the client wrote.
 * @param view a view of its own, so that they count as unread in the body
 */
export const readLogprobsWanted = (view: Members): Pick<GenerateRequest, 'logprobs'> => {
  const wanted = view.boolean('logprobs') ?? false;
  const alternatives = view.number('top_logprobs', { integer: true, min: 0, max: MAX_ALTERNATIVES });
  if (alternatives !== undefined && !wanted) throw invalidMember('top_logprobs', "needs 'logprobs: true'.");
  return wanted ? { logprobs: alternatives ?? 0 } : {};
};

/** The members that are honoured where log probabilities are. */
export const LOGPROBS_MEMBERS: readonly string[] = ['logprobs', 'top_logprobs'];

/** Members of requests, on both wires, that group settings. */
const grouping: ReadonlySet<string> = new Set([
  'access_programs',
  'image',
  'prompt_cache_options',
  'reasoning',
  'stream_options',
  'text',
  'web_search_options',
]);

/** The extra members whose settings are reported one by one on another wire: `reasoning.mode`. */
export function listGroups(members: Readonly<JsonObject>): Pick<ExtraMembers, 'groups'> {
  const groups = Object.keys(members).filter((name) => grouping.has(name) && isObject(members[name]));
  return groups.length === 0 ? {} : { groups };
}

/**
 * `moderation` among the members of a request: an answer without it could be one that it was to block.
 * https://platform.openai.com/docs/guides/moderation
 */
export const listModeration = (members: JsonObject): readonly VendorOnly[] =>
  readMembers(members).rawObject('moderation') === undefined
    ? []
    : [{ field: 'moderation', what: 'the moderation of its content' }];

/** Only `include_usage` has a canonical member. */
export function decodeStreamOptions(body: Members): { readonly includeUsage: boolean; readonly extra: object } {
  const options = body.object('stream_options');
  const includeUsage = options?.boolean('include_usage') ?? false;
  const others = options?.unread() ?? {};
  return { includeUsage, extra: Object.keys(others).length === 0 ? {} : { stream_options: others } };
}

const decodeSchema = (format: Members): OutputFormat => {
  const schema = requiredObject(format, 'json_schema');
  return omitUndefined({
    type: 'schema',
    name: schema.string('name'),
    description: schema.string('description'),
    schema: schema.rawObject('schema') ?? {},
    strict: schema.boolean('strict'),
  });
};

/** `text` is the default and needs no output format. A type of one vendor stays unread, and so in `extra`. */
export function decodeOutput(body: Members, raw: unknown): OutputFormat | undefined {
  const format = readMembers(raw, 'response_format');
  const decoders: Readonly<Record<string, () => OutputFormat | undefined>> = {
    text: () => undefined,
    json_object: () => ({ type: 'json' }),
    json_schema: () => decodeSchema(format),
  };
  const decode = lookUp(decoders, format.requiredString('type'));
  if (decode === undefined) return undefined;
  body.value('response_format');
  return decode();
}
