import { driveEmbed } from '../drive.ts';
import { surface, type Surface } from './surface.ts';

const embeddings = { model: 'model', input: 'Hi' };
const content = { content: { parts: [{ text: 'Hi' }] } };

export const embedSurfaces: readonly Surface[] = [
  surface(
    'embeddings',
    'request',
    [['embeddings', 'EmbeddingCreateParams']],
    { depth: 2, base: embeddings, skip: /^\.model$/ },
    (value = embeddings) => driveEmbed('embeddings', value),
  ),
  surface(
    'embed-content',
    'request',
    [['google', 'EmbedContentConfig']],
    { depth: 2, base: content, skip: /^\.(?:httpOptions|abortSignal)$/ },
    (value = content) => driveEmbed('embed-content', value),
  ),
];
