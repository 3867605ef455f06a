import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { geminiCli } from './gemini-cli.ts';
import { openCode } from './opencode.ts';

/** Agents with a scripted session, and loops at presets. */
export const agents = [claudeCode, codex, geminiCli, openCode];
