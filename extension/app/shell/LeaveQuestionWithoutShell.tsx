import { useGuarded } from '../../features/leaving/use-guarded.ts';
import { LeaveQuestion } from './LeaveQuestion.tsx';

/** The question before a view is left that has no shell, and no other place. */
export function LeaveQuestionWithoutShell() {
  const { question } = useGuarded('', '');
  if (question === undefined) return null;
  return (
    <LeaveQuestion
      {...question}
      onStayed={(focused) => {
        if (focused instanceof HTMLElement && focused.isConnected) focused.focus();
      }}
    />
  );
}
