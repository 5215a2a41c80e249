import { createRoot } from 'react-dom/client';
import { Console } from './views/Console.tsx';
import './console.css';

const root = document.getElementById('console');
if (root === null) throw new Error('index.html has no element with the id "console".');
createRoot(root).render(<Console />);
