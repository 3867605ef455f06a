import type { GenerateRequest } from '../../canonical/request.ts';
import type { Capabilities } from '../../contracts/capabilities.ts';
import { isThinking, isThinkingOff } from '../reasoning/thinking.ts';

/** Whether this request can force a tool call. Some models never can, some only while they do not think. */
export const canForceTool = (request: GenerateRequest, { forcedTool, thinksUnasked }: Capabilities): boolean => {
  const thinks = thinksUnasked === true ? !isThinkingOff(request) : isThinking(request);
  return forcedTool !== false && !(forcedTool === 'not-with-thinking' && thinks);
};
