import type { JsonObject } from '../../../core/api/index.ts';
import type { ModelEntry, ModelList } from '../../../core/api/codec.ts';

/** An entry with the members of this wire's list and of OpenAI's, which some agent clients read here. */
const encodeModel = ({ id, provider, capabilities, created }: ModelEntry): JsonObject => ({
  id,
  type: 'model',
  display_name: id,
  created_at: new Date(created * 1_000).toISOString(),
  max_input_tokens: capabilities.contextTokens ?? null,
  max_tokens: capabilities.maxOutput ?? null,
  object: 'model',
  created,
  owned_by: provider,
});

/** The entries after `after_id` or before `before_id`. An unknown id selects the whole list. */
const selectPage = (models: readonly ModelEntry[], query: Readonly<Record<string, string>>): readonly ModelEntry[] => {
  const place = (id: string | undefined): number => models.findIndex((model) => model.id === id);
  const after = place(query['after_id']);
  const before = place(query['before_id']);
  return models.slice(after + 1, before < 0 ? undefined : before);
};

const readLimit = (limit: string | undefined): number => {
  const count = Number(limit);
  return Number.isInteger(count) && count > 0 ? count : Number.POSITIVE_INFINITY;
};

/**
 * `GET /v1/models` for clients of this wire. All models are on one page unless the client sets a limit.
 * https://platform.claude.com/docs/en/api/models/list
 */
export const modelList: ModelList = {
  recognises: ({ path, headers, query }) => {
    if (path.startsWith('/v1beta')) return false;
    if ('anthropic-version' in headers || 'compat-version' in headers) return true;
    if ('x-api-key' in headers && !('authorization' in headers)) return true;
    return 'after_id' in query || 'before_id' in query;
  },
  list: (models, query) => {
    const selected = selectPage(models, query);
    const limit = readLimit(query['limit']);
    const backwards = query['before_id'] !== undefined && query['after_id'] === undefined;
    const page = backwards && selected.length > limit ? selected.slice(-limit) : selected.slice(0, limit);
    return {
      object: 'list',
      data: page.map(encodeModel),
      has_more: page.length < selected.length,
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
    };
  },
  one: encodeModel,
};
