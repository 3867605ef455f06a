import type { GenerateRequest } from '../../canonical/request.ts';
import type { Capabilities } from '../../contracts/capabilities.ts';
import { isThinking } from '../reasoning/thinking.ts';

/** Whether this request can force a tool call. Some models never can, some only while they do not think. */
export const canForceTool = (request: GenerateRequest, { forcedTool }: Capabilities): boolean =>
  forcedTool !== false && !(forcedTool === 'not-with-thinking' && isThinking(request));
