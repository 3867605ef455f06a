export { correctUsage, createUsageReader, markEstimated, usageNames, writeUsage } from '../chat-completions/usage.ts';
export { usageMembers } from '../chat-completions/usage-members.ts';
