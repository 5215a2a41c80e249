import { TextField } from '@adobe/react-spectrum/TextField';
import { useState } from 'react';
import type { TextNode } from '@repoless/core/configuration/form-node.ts';
import type { NodeProps } from './form-frame.ts';
import { leafProps } from './leaves.tsx';
import { useForm } from './use-form.ts';

/** A credential: write-only. The stored one is kept while nothing is entered. */
export function SecretLeaf(props: NodeProps<TextNode>) {
  const form = useForm();
  const { messages } = form;
  const { value, inherited, stored, isRequired, onChange } = props;
  const [typed, setTyped] = useState('');
  const isKept = typeof stored === 'string' && value === stored;
  const isEntered = typeof value === 'string' && value !== '';
  const isCopied = isEntered && value === inherited;
  const said = isKept ? messages.stored : isCopied ? messages.copied : isEntered ? messages.replaced : messages.notStored;
  return (
    <TextField
      {...leafProps(form, { ...props, isRequired: isRequired && !isKept }, undefined, said)}
      type="password"
      autoComplete="off"
      width="100%"
      value={typed}
      onChange={(next) => {
        setTyped(next);
        onChange(next === '' ? (stored ?? inherited ?? (isRequired ? '' : undefined)) : next);
      }}
    />
  );
}
