/** The most tags that one request can have. */
export const MAX_TAGS = 10;

/** A name has no dot: the tags of plugins are named `<plugin>.<name>`. */
export const TAG_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Printable ASCII without commas, and without spaces at the ends. */
export const TAG_VALUE = /^[!-+\--~]([ -+\--~]{0,126}[!-+\--~])?$/;
