import type { JsonObject } from '../../../core/api/index.ts';
import type { BodyEdit, Lose } from '../../../core/api/codec.ts';

/** One deviation of a model from the wire. */
export type Edit = (body: Readonly<JsonObject>, lose: Lose) => readonly BodyEdit[];
