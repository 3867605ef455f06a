import {
  classifySentence,
  isModelMissing,
  readErrorMessage,
  type Classify,
  type Sentence,
} from '../../../core/api/codec.ts';
import { classify as classifyGoogle } from '../classify.ts';
import { modelMissing } from '../generate-content/upstream/response/error.ts';

/** The account of the gateway may not call models. Other permissions are for objects that the caller names. */
const sentences: readonly Sentence[] = [
  [
    /^Permission 'aiplatform\.(?:endpoints\.predict|interactions\.create)' denied on resource '\S+' \(or it may not exist\)\.$/,
    'credential',
  ],
];

/** Errors of Vertex AI, also those of Claude: the codec of its wire does not know them. */
export const classify: Classify = (reply) => {
  const known = classifyGoogle(reply);
  if (known !== undefined) return known;
  const message = readErrorMessage(Array.isArray(reply.body) ? reply.body[0] : reply.body) ?? '';
  if (reply.status === 404 && isModelMissing(modelMissing, message, reply)) return 'model-gone';
  return reply.status === 403 ? classifySentence(sentences, message, reply) : undefined;
};
