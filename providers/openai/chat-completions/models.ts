import type { ModelEntry, ModelList } from '../../../core/api/codec.ts';

const describeModel = ({ id, provider, created }: ModelEntry) => ({ id, object: 'model', created, owned_by: provider });

/**
 * `GET /v1/models` for clients whose headers name no other wire: https://platform.openai.com/docs/api-reference/models
 */
export const chatModels: ModelList = {
  list: (models) => ({ object: 'list', data: models.map(describeModel) }),
  one: describeModel,
};
