/** @import { HostedTools } from './keys.js' */
import { readList } from './keys.js';

/** Words as `koine keys` has them: `web_search, mcp, drop`; `none` allows no tool. @param {HostedTools} [setting] */
export const writeHostedTools = (setting) => {
  if (setting === undefined || typeof setting === 'string') return setting ?? '';
  const { allow, otherwise } = 'length' in setting ? { allow: setting, otherwise: undefined } : setting;
  const tools = allow === undefined ? [] : allow.length === 0 ? ['none'] : allow;
  return [...tools, ...(otherwise === undefined ? [] : [otherwise])].join(', ');
};

/** @param {string} word */
const isPolicy = (word) => word === 'drop' || word === 'refuse';

/** Undefined for no words. Wrong words are sent as they are, so that the gateway names them. @param {string} text */
export const readHostedTools = (text) => {
  const words = readList(text);
  const otherwise = words.find(isPolicy);
  const allow = words.filter((word) => !isPolicy(word) && word !== 'none');
  if (allow.length === 0 && !words.includes('none')) return otherwise;
  return otherwise === undefined ? allow : { allow, otherwise };
};
