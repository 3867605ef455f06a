import { defineReferences, isObject, readText, type StoredReference } from '../../../../../core/api/codec.ts';
import { isStoredFile } from '../../../generate-content/client/request/references.ts';

/** An environment is created, or named by its id. */
const readEnvironment = (value: unknown): StoredReference | boolean =>
  isObject(value) ? { id: readText(value['environment_id']) || undefined } : value !== null && value !== '';

/** What a request can refer to at the vendor: https://ai.google.dev/api/interactions-api */
export const references = defineReferences({
  'previous_interaction_id': true,
  'continuation_token': true,
  'cached_content': true,
  'environment': readEnvironment,
  'input.uri': isStoredFile,
  'input.content.uri': isStoredFile,
  'input.result.uri': isStoredFile,
  'input.content.result.uri': isStoredFile,
  'tools.file_search_store_names': true,
  'tools.rag_store_config': true,
  'tools.vertex_ai_search_config': true,
});
