import { wires, type Wire } from '../losses/probe.ts';

export type { Wire };
export type EmbedWire = 'embeddings' | 'embed-content';

/** Each has a list in `lists/`. */
export const listedWires: readonly (Wire | EmbedWire)[] = [...wires, 'embeddings', 'embed-content'];
export type ListedWire = Wire | EmbedWire;
