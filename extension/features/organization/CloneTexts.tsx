import type { Ref } from 'react';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { CloneProblem, TriedClone } from '@repoless/core/clone/try-clone.ts';
import { ChangeList } from '../history/ChangeList.tsx';
import { Explanation } from '../../ui/Explanation.tsx';
import type { CloneBlock } from './use-clone.ts';
import { useMessages } from '../../ui/use-messages.ts';

/** What a clone takes over, and what not. */
export function CloneLists() {
  const { clone: texts } = useMessages('sites');
  const lists = [
    [texts.taken, texts.takenList],
    [texts.left, texts.leftList],
  ] as const;
  return lists.map(([title, lines]) => (
    <div key={title}>
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  ));
}

/** How the clone differs from its source. */
export function CloneReview(props: { readonly source: string; readonly clone: TriedClone; readonly heading: Ref<HTMLHeadingElement> }) {
  const { source, clone, heading } = props;
  const { clone: texts } = useMessages('sites');
  return (
    <>
      <h3 tabIndex={-1} ref={heading}>
        {texts.differences({ site: source })}
      </h3>
      <ChangeList changes={clone.differences} label={texts.differences({ site: source })} />
      {clone.leftOut.map((name) => (
        <p key={name} className="rp-quiet">
          {texts.leftOut[name]}
        </p>
      ))}
    </>
  );
}

/** What stands in the way and is no matter of one field. */
export function CloneBlocked({ problems, after }: { readonly problems: readonly CloneProblem[]; readonly after: CloneBlock }) {
  const messages = useMessages('sites');
  const { clone: texts } = messages;
  const whole = problems.flatMap(({ field, says }) => (field === 'whole' ? [says] : []));
  const [first, ...others] = whole.map((says) => {
    if (says.kind === 'sentence') return { sentence: says.sentence };
    return says.kind === 'failure' ? explainFailure(messages, says.failure) : { sentence: texts.problems[says.kind] };
  });
  if (first === undefined) return null;
  const titles = { try: texts.failed, create: texts.notCreated, lost: texts.maybeCreated };
  const explained = after === 'lost' ? { sentence: first.sentence, next: texts.maybeNext } : first;
  return <Explanation title={titles[after]} explained={explained} details={others.map(({ sentence }) => sentence)} />;
}
