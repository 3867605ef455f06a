import type { Capabilities } from '../../../../../core/api/index.ts';

/**
 * What the wire cannot express: system text between turns, custom tools, cache marks, and names beyond
 * https://ai.google.dev/api/caching#FunctionDeclaration.
 */
export const limits: Capabilities = {
  maxTemperature: 2,
  midSystem: false,
  customTools: false,
  toolName: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/,
};
