import type { BodyEdit, JsonObject, Lose } from '../../../core/index.ts';

/** One deviation of a model from the wire. */
export type Edit = (body: Readonly<JsonObject>, lose: Lose) => readonly BodyEdit[];
