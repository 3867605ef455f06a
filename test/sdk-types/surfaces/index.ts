import { chatSurfaces } from './chat-completions.ts';
import { embedSurfaces } from './embeddings.ts';
import { googleSurfaces } from './generate-content.ts';
import { interactionsSurfaces } from './interactions.ts';
import { messagesSurfaces } from './messages.ts';
import { responsesSurfaces } from './responses.ts';
import type { Surface } from './surface.ts';

export const surfaces: readonly Surface[] = [
  ...chatSurfaces,
  ...responsesSurfaces,
  ...messagesSurfaces,
  ...googleSurfaces,
  ...interactionsSurfaces,
  ...embedSurfaces,
];
