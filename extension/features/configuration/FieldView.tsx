import type { ReactNode } from 'react';
import { isCredential } from '@repoless/core/history/cdn-credentials.ts';
import type { NodeProps } from './form-frame.ts';
import { InheritedValue } from './InheritedValue.tsx';
import { ChoiceLeaf, ChoicesLeaf, NumberLeaf, SwitchLeaf, TextLeaf } from './leaves.tsx';
import { ListForm } from './ListForm.tsx';
import { ObjectForm } from './ObjectForm.tsx';
import { RecordForm } from './RecordForm.tsx';
import { SecretLeaf } from './SecretLeaf.tsx';
import { VariantsForm } from './VariantsForm.tsx';

const draw = (props: NodeProps): ReactNode => <FieldView {...props} />;

/** The form of a place, by its kind. A profile's value is shown until the site has its own. */
export function FieldView(props: NodeProps) {
  const { node, value, inherited } = props;
  const isWhole = node.kind !== 'object' && node.kind !== 'record' && node.kind !== 'list' && node.kind !== 'variants';
  if (isWhole && value === undefined && inherited !== undefined) return <InheritedValue {...props} />;
  switch (node.kind) {
    case 'text':
      return isCredential(props.place) ? <SecretLeaf {...props} node={node} /> : <TextLeaf {...props} node={node} />;
    case 'number':
      return <NumberLeaf {...props} node={node} />;
    case 'switch':
      return <SwitchLeaf {...props} node={node} />;
    case 'choice':
      return <ChoiceLeaf {...props} node={node} />;
    case 'choices':
      return <ChoicesLeaf {...props} node={node} />;
    case 'list':
      return <ListForm {...props} node={node} draw={draw} />;
    case 'record':
      return <RecordForm {...props} node={node} draw={draw} />;
    case 'object':
      return <ObjectForm {...props} node={node} draw={draw} />;
    case 'variants':
      return <VariantsForm {...props} node={node} draw={draw} />;
    case 'json':
      // Its section's JSON stands beside the form.
      return null;
    default:
      return node satisfies never;
  }
}
