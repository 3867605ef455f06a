import { dimensionNames, type DimensionName } from '../tables.ts';

export const isDimension = (name: string): name is DimensionName => dimensionNames.some((known) => known === name);

/** What usage can be grouped and filtered by. A tag is `tag:<name>`. */
export type UsageName = DimensionName | 'user' | TagName;
type TagName = `tag:${string}`;
/** Tags of plugins have a dot in their names. */
const TAG = /^tag:[A-Za-z][\w.@-]{0,191}$/;
export const isTagName = (name: string): name is TagName => TAG.test(name);
export const isUsageName = (name: string): name is UsageName => isDimension(name) || name === 'user' || isTagName(name);
