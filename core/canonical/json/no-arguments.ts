const NONE = /^\s*(?:null\s*)?$/;

/** Whether the text of a call's arguments says that there are none. Some models write `null` in place of `{}`. */
export const hasNoArguments = (text: string): boolean => NONE.test(text);
