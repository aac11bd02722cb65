;;; atelier-test.el --- Tests of atelier.el  -*- lexical-binding: t -*-

;; Run by ../test.sh in an Emacs without configuration: ATELIER, FOLDER and PORTRAIT are in the environment.

;;; Code:

(require 'atelier)
(require 'ert)
(require 'org)

(defvar atelier-test-said nil "The messages, newest first.")
(defvar atelier-test-folder (file-name-as-directory (getenv "FOLDER")))
(defconst atelier-test-id "headshot-gen_[a-z0-9]+\\.jpg")

(defun atelier-test-wait (text condition)
  "Wait until CONDITION is fulfilled, or fail with TEXT."
  (let ((deadline (time-add nil 120)))
    (while (not (funcall condition))
      (when (time-less-p deadline nil) (ert-fail (list "not in time" text atelier-test-said)))
      (accept-process-output nil 0.02))))

(defun atelier-test-said-p (text)
  (cl-some (lambda (each) (string-match-p (regexp-quote text) each)) atelier-test-said))

(defun atelier-test-expect (text)
  (atelier-test-wait text (lambda () (atelier-test-said-p text))))

(defmacro atelier-deftest (name sentence &rest body)
  "Define a test NAME with the title SENTENCE, in which nothing is shown."
  (declare (indent 1))
  `(ert-deftest ,name ()
     ,sentence
     (cl-letf (((symbol-function 'message)
                (lambda (format &rest arguments)
                  (when format
                    (let ((text (apply #'format-message format arguments)))
                      (unless (string-match-p " %  \\|\\[jsonrpc\\]" text) (push text atelier-test-said)) text)))))
       (setq atelier-test-said nil)
       (unwind-protect (progn ,@body)
         (when atelier--running (atelier-cancel t))
         (atelier-test-wait "the end" (lambda () (null atelier--running)))))))

(defun atelier-test-document (name text)
  "Visit the file NAME, or none, with TEXT in it; point is at the first |, which is left out."
  (setq atelier-test-said nil)
  (when-let* ((old (get-buffer "*atelier test*")))
    (with-current-buffer old (set-buffer-modified-p nil))
    (kill-buffer old))
  (switch-to-buffer "*atelier test*")
  (setq default-directory atelier-test-folder)
  (when name
    (setq buffer-file-name (expand-file-name name))
    (set-auto-mode))
  (insert text)
  (goto-char (point-min))
  (when (search-forward "|" nil t) (delete-char -1))
  (current-buffer))

(defun atelier-test-pattern (text)
  "TEXT as a regular expression, in which ID stands for the name of a headshot's file."
  (concat "\\`" (string-replace "ID" atelier-test-id (regexp-quote text)) "\\'"))

(defun atelier-test-linked (expected name text)
  "A headshot of what point is on in TEXT, in the file NAME, leaves the text EXPECTED."
  (atelier-test-document name text)
  (call-interactively #'atelier-headshot)
  (atelier-test-wait "an answer" (lambda () atelier-test-said))
  (should (string-match-p (atelier-test-pattern expected) (buffer-string))))

(defun atelier-test-kill ()
  "Kill the service."
  (when (and atelier--connection (jsonrpc-running-p atelier--connection))
    (signal-process (jsonrpc--process atelier--connection) 'KILL)
    (atelier-test-wait "the end of the service"
                       (lambda () (not (or atelier--running (jsonrpc-running-p atelier--connection)))))))

(atelier-deftest atelier-markdown
  "The picture of a Markdown link is linked after it, relative to the document."
  (atelier-test-linked "see ![me](me.png) ![headshot](ID) here" "a.md" "see ![m|e](me.png) here")
  (should (string-match atelier-test-id (buffer-string)))
  (should (file-exists-p (match-string 0 (buffer-string))))
  (atelier-test-linked "<img src=\"me.png\" width=3> ![headshot](ID)" "b.md" "<img src=\"m|e.png\" width=3>")
  (atelier-test-linked "[a](<me.png>) ![headshot](ID) [b](no.png)" "c.md" "[|a](<me.png>) [b](no.png)")
  (atelier-test-linked "![](sub%20folder/me.png \"title\") ![headshot](sub%20folder/ID)" "d.md"
                       "![](sub%20folder/m|e.png \"title\")"))

(atelier-deftest atelier-org
  "An Org link is followed by one in Org."
  (atelier-test-linked "[[file:me.png][Me]] [[file:ID]]" "a.org" "[[file:m|e.png][Me]]")
  (should (derived-mode-p 'org-mode))
  (atelier-test-linked "[[./a\\]\\[b.png]] [[file:ID]]" "b.org" "[[./a\\]|\\[b.png]]"))

(atelier-deftest atelier-paths
  "Paths are found bare, quoted, at home, alone in a line, in a long line, and with odd characters."
  (atelier-test-linked "(in me.png ![headshot](ID).)" "e.md" "(in m|e.png.)")
  (atelier-test-linked "a 'x y' \"it's me [ü].png\" ![headshot](ID) b" "f.md" "a 'x y' \"it's m|e [ü].png\" b")
  (atelier-test-linked "`~/me.png` ![headshot](ID)" "g.md" "`~/m|e.png`")
  (atelier-test-linked "'(1) me.png' ![headshot](ID)" "g.md" "'(1) m|e.png'")
  (atelier-test-linked "see (1).png ![headshot](ID) there" "g.md" "see (1|).png there")
  (atelier-test-linked "- it's me [ü].png ![headshot](ID)" "h.md" "- it's m|e [ü].png")
  (atelier-test-linked "![](a%0Ab.png) ![headshot](ID)" "i.md" "![](a%0|Ab.png)")
  (let ((long (apply #'concat (make-list 100000 "[( "))))
    (atelier-test-document "l.md" (concat long "me|.png " long))
    (call-interactively #'atelier-headshot)
    (atelier-test-wait "an answer" (lambda () atelier-test-said))
    (goto-char (1+ (length long)))
    (should (looking-at-p (concat "me.png !\\[headshot](" atelier-test-id ") \\[( ")))))

(atelier-deftest atelier-elsewhere
  "A picture elsewhere is written beside the document, or stays with the service if that has no file."
  (let ((link (format "![](%s)" (getenv "PORTRAIT"))))
    (atelier-test-linked (concat link " ![headshot](ID)") "j.md" (concat "|" link))
    (atelier-test-document nil (concat "|" link))
    (call-interactively #'atelier-headshot)
    (atelier-test-wait "an answer" (lambda () atelier-test-said))
    (should (string-match-p ") !\\[headshot](data/artifacts/.*\\.jpg)\\'" (buffer-string)))))

(atelier-deftest atelier-dired
  "In Dired, the picture is the file of the line, and its headshot goes to the kill ring."
  (dired atelier-test-folder)
  (dired-goto-file (concat atelier-test-folder "it's me [ü].png"))
  (call-interactively #'atelier-headshot)
  (atelier-test-expect "in the kill ring")
  (should (string-match-p (concat "\\`" (regexp-quote atelier-test-folder) atelier-test-id "\\'") (current-kill 0)))
  (kill-buffer))

(atelier-deftest atelier-refusals
  "What names no picture is refused in a sentence."
  (pcase-dolist (`(,text . ,sentence)
                 '(("just w|ords" . "no picture at point") ("" . "no picture at point")
                   ("a no|ne.jpg b" . "none.jpg” is not") ("![](no| such.png)" . "no such.png” is not")
                   ("<https://|example.org/me.png>" . "on this machine") ("\"/ssh:h|ost:/me.png\"" . "on this machine")
                   ("su|b folder" . "no picture")))
    (atelier-test-document "k.md" text)
    (should (string-match-p (regexp-quote sentence) (cadr (should-error (call-interactively #'atelier-headshot))))))
  (atelier-test-document "k.md" "text.t|xt")
  (call-interactively #'atelier-headshot)
  (atelier-test-expect "This is a text")
  (setq default-directory "/ssh:host:/" buffer-file-name nil)
  (should (string-match-p "local files only" (cadr (should-error (call-interactively #'atelier-headshot)))))
  (let ((name (concat atelier-test-folder "\377.png")))
    (write-region "" nil name nil 'quiet)
    (atelier-test-document "k.md" (concat "\"" (file-name-nondirectory name) "|\""))
    (should (string-match-p "not UTF-8" (cadr (should-error (call-interactively #'atelier-headshot)))))))

(atelier-deftest atelier-edits
  "An edit says in its link what was to be changed; an empty prompt asks nothing of the service."
  (atelier-test-document "l.md" "m|e.png")
  (cl-letf (((symbol-function 'read-string) (lambda (&rest _) "a [red]\nhat"))) (call-interactively #'atelier-edit))
  (atelier-test-wait "an answer" (lambda () atelier-test-said))
  (should (string-match-p "\\`me.png !\\[a \\\\\\[red\\\\\\] hat](edit-gen_[a-z0-9]+\\.[a-z]+)\\'" (buffer-string)))
  (cl-letf (((symbol-function 'read-string) (lambda (&rest _) " "))) (call-interactively #'atelier-edit))
  (should-error (atelier-cancel)))

(atelier-deftest atelier-large
  "A photo that is too large is prepared first."
  (atelier-test-document "m.md" "![](w|ide.png)")
  (atelier-edit (atelier--picture-at-point) "narrower")
  (atelier-test-wait "an answer" (lambda () atelier-test-said))
  (should (string-match-p "(edit-gen_" (buffer-string))))

(atelier-deftest atelier-several
  "Several are made at once, the one that is chosen is cancelled, and links move with the text."
  (atelier-test-document "n.md" "m|e.png and\none.png")
  (atelier-edit (atelier--picture-at-point) "slower [[fault:hold]]")
  (call-interactively #'atelier-headshot)
  (forward-line)
  (atelier-edit (atelier--picture-at-point) "slow [[fault:hold]]")
  (cl-letf (((symbol-function 'completing-read)
             (lambda (_prompt choices &rest _)
               (should (equal (length choices) 3))
               (car (cl-find "one.png" choices :key #'car :test #'string-prefix-p)))))
    (call-interactively #'atelier-cancel))
  (goto-char (point-min))
  (insert "a new first line\n")
  (atelier-test-expect "one.png: cancelled.")
  (atelier-test-expect "headshot-")
  (should (string-match-p (atelier-test-pattern "a new first line\nme.png ![headshot](ID) and\none.png") (buffer-string)))
  (atelier-cancel)
  (atelier-test-expect "me.png: cancelled."))

(atelier-deftest atelier-kill-ring
  "The result goes to the kill ring where the buffer is gone, read-only, or no document."
  (dolist (change (list (lambda () (set-buffer-modified-p nil) (kill-buffer)) #'read-only-mode
                        (lambda () (put-text-property (point-min) (point-max) 'read-only t))))
    (atelier-test-document "o.md" "see m|e.png there")
    (call-interactively #'atelier-headshot)
    (funcall change)
    (atelier-test-expect "in the kill ring")
    (should (string-match-p atelier-test-id (current-kill 0)))
    (let ((inhibit-read-only t)) (remove-text-properties (point-min) (point-max) '(read-only nil))))
  (atelier-test-linked "(show \"me.png\")" "p.el" "(show \"m|e.png\")")
  (should (equal (file-name-directory (current-kill 0)) atelier-test-folder)))

(atelier-deftest atelier-lists
  "A list of places follows the line, in Markdown and in Org."
  (atelier-test-document "q.md" "Cof|fee:\nend")
  (atelier-places "Top coffee shops in Austin")
  (atelier-test-expect "places")
  (should (string-match-p "\\`Coffee:\n- \\[[^]]+](https://www.openstreetmap.org/\\?mlat=30[0-9.]*&mlon=-97[^)]*), .*Austin"
                          (buffer-string)))
  (should (string-suffix-p "\nend" (buffer-string)))
  (atelier-test-document "q.org" "|")
  (atelier-places "Top coffee shops in Austin")
  (atelier-test-expect "places")
  (should (string-match-p "\\`- \\[\\[https://www.openstreetmap.org/[^]]*]\\[[^]]+]], .*Austin" (buffer-string))))

(atelier-deftest atelier-the-history
  "The history names what was made of what, and inserts and opens it."
  (let ((document (atelier-test-document "r.md" "here|")) opened)
    (atelier-history)
    (atelier-test-wait "a page" (lambda () (> (count-lines (point-min) (point-max)) 10)))
    (should atelier--cursor)
    (atelier-history-more)
    (atelier-test-wait "the last page" (lambda () (not atelier--cursor)))
    (dolist (part '("edit of me.png: a [red] hat\n" "headshot of a b.png: auto\n" "(cancelled)\n" "places: Top"))
      (goto-char (point-min))
      (should (search-forward part nil t)))
    (goto-char (point-min))
    (search-forward "headshot of it's me")
    (execute-kbd-macro "i")
    (should (string-match-p (atelier-test-pattern "here ![headshot](ID)")
                            (with-current-buffer document (buffer-string))))
    (cl-letf (((symbol-function 'find-file-other-window) (lambda (path) (setq opened path)))
              ((symbol-function 'executable-find) #'ignore))
      (execute-kbd-macro (kbd "n RET")))
    (should (file-exists-p opened))
    (goto-char (point-min))
    (search-forward "places: Top")
    (execute-kbd-macro "i")
    (should (string-match-p ")\n- \\[" (with-current-buffer document (buffer-string))))
    (quit-window t)
    (atelier-test-document "r.md" "|")
    (atelier-history)
    (atelier-test-wait "the history again" (lambda () (search-forward "headshot of" nil t)))
    (execute-kbd-macro "i")
    (quit-window t)
    (should (string-match-p (atelier-test-pattern "![headshot](ID)") (buffer-string)))))

(atelier-deftest atelier-thumbnails
  "Thumbnails are asked for where they are seen, each once."
  (let (created)
    (cl-letf (((symbol-function 'display-images-p) (lambda (&rest _) t))
              ;; Without a display, a window has no end.
              ((symbol-function 'window-end) (lambda (&rest _) (line-beginning-position 8)))
              ((symbol-function 'create-image) (lambda (data &rest _) (push data created) '(image :type jpeg))))
      (atelier-test-document "s.md" "")
      (atelier-history)
      (atelier-test-wait "a page" (lambda () (> (count-lines (point-min) (point-max)) 10)))
      (atelier-test-wait "thumbnails" (lambda () created))
      (should (string-prefix-p (unibyte-string #xff #xd8) (car created)))
      (atelier--show-thumbnails (selected-window))
      (should-not (text-property-not-all (point-min) (window-end) 'atelier-thumbnail nil))
      (should (text-property-not-all (window-end) (point-max) 'atelier-thumbnail nil))
      (quit-window t))))

(atelier-deftest atelier-killed
  "A service that is killed is reported once, and replaced at the next use."
  (atelier-test-document "t.md" "m|e.png")
  (dotimes (_ 2) (atelier-edit (atelier--picture-at-point) "slow [[fault:hold]]"))
  (atelier-test-kill)
  (should (equal atelier-test-said '("Atelier's service has ended.")))
  (atelier-test-linked "me.png ![headshot](ID)" "u.md" "m|e.png"))

(atelier-deftest atelier-early-end
  "A service that ends early says why."
  (atelier-test-kill)
  (atelier-test-document "v.md" "m|e.png")
  (let ((atelier-command (list (getenv "ATELIER") "--nonsense")))
    (call-interactively #'atelier-headshot)
    (atelier-test-expect "service has ended.\nError: Unknown option '--nonsense'")))

(atelier-deftest atelier-earlier-end
  "A service that has ended before anything is sent to it says why."
  (atelier-test-kill)
  (atelier-test-document "v.md" "m|e.png")
  (let ((atelier-command (list (getenv "ATELIER") "--nonsense"))
        (make (symbol-function 'make-process)))
    (cl-letf (((symbol-function 'make-process)
               (lambda (&rest arguments)
                 (let* ((process (apply make arguments)) (id (process-id process)))
                   (while (eq 0 (signal-process id 0)))
                   process))))
      (call-interactively #'atelier-headshot))
    (atelier-test-expect "service has ended.\nError: Unknown option '--nonsense'")))

(atelier-deftest atelier-end-while-sending
  "A service that ends while something is sent to it says why, and nothing waits for it."
  (atelier-test-kill)
  (atelier-test-document "v.md" "m|e.png")
  (let ((atelier-command (list (getenv "ATELIER") "--nonsense"))
        (send (symbol-function 'process-send-string)))
    (cl-letf (((symbol-function 'process-send-string)
               (lambda (process text)
                 ;; As where Emacs must wait until it can write: the end is told meanwhile.
                 (while (not (process-get process 'jsonrpc-sentinel-cleanup-started)) (accept-process-output nil 0.02))
                 (funcall send process text))))
      (call-interactively #'atelier-headshot))
    (should (null atelier--running))
    (atelier-test-expect "service has ended.\nError: Unknown option '--nonsense'")))

(atelier-deftest atelier-directory
  "The data directory is the one of the variable."
  (atelier-test-kill)
  (let ((atelier-data-directory "~/elsewhere"))
    (atelier-test-document nil (getenv "PORTRAIT"))
    (call-interactively #'atelier-headshot)
    (atelier-test-expect "~/elsewhere/artifacts")
    (atelier-test-kill)))

(atelier-deftest atelier-missing
  "A program that is missing is reported with what to do."
  (atelier-test-kill)
  (atelier-test-document "w.md" "m|e.png")
  (let ((atelier-command "/nowhere/atelier"))
    (should (string-match-p "/nowhere/atelier is not installed.\nInstall"
                            (cadr (should-error (call-interactively #'atelier-headshot))))))
  (should-error (atelier-cancel)))

(atelier-deftest atelier-language
  "An error is in the language of the environment, with the hint below."
  (atelier-test-kill)
  (atelier-test-document "x.md" "m|e.png")
  (with-environment-variables (("LC_ALL" "hi_IN@latin") ("LANGUAGE" "zh_TW:de"))
    (should (equal (atelier--locale) "zh_TW,de,hi_IN@latin")))
  (dolist (name '("C" "C.UTF-8" "POSIX" ""))
    (with-environment-variables (("LC_ALL" name) ("LC_MESSAGES" nil) ("LANG" nil) ("LANGUAGE" "de"))
      (should-not (atelier--locale))))
  (with-environment-variables (("GEMINI_API_KEY" nil) ("ATELIER_CONFIG" nil) ("LC_ALL" "de_DE.UTF-8") ("LANGUAGE" nil))
    (atelier-edit (atelier--picture-at-point) "redder")
    (atelier-test-expect "API-Schlüssel"))
  (should (string-match-p "\n.*atelier credentials set gemini" (car atelier-test-said)))
  (atelier-test-kill))

(defun atelier-test-report (event &rest arguments)
  "Print the test that has failed, if ARGUMENTS of EVENT are of one."
  (when (eq event 'test-ended)
    (pcase-let ((`(,_ ,test ,result) arguments))
      (unless (ert-test-result-expected-p test result)
        (princ (format "FAILED: %s\n%S\n%S\n" (ert-test-documentation test)
                       (ert-test-result-with-condition-condition result) atelier-test-said))))))

(defun atelier-test-run ()
  "Run the tests, print their number, and end with something running, whose end ../test.sh looks at."
  (let* ((stats (ert-run-tests t #'atelier-test-report))
         (failed (ert-stats-completed-unexpected stats)))
    (atelier-test-document "y.md" "m|e.png")
    (atelier-edit (atelier--picture-at-point) "slow [[fault:hold]]")
    (let ((pid (process-id (jsonrpc--process atelier--connection))))
      (write-region (format "%d\n" pid) nil (concat atelier-test-folder "pid") nil 'quiet)
      (unless (equal (alist-get 'pgrp (process-attributes pid)) pid)
        (princ "FAILED: the service has no process group of its own\n")
        (cl-incf failed)))
    (princ (format "%d passed, %d failed\n" (ert-stats-completed-expected stats) failed))
    (let ((inhibit-message t)) (kill-emacs (if (zerop failed) 0 1)))))

;;; atelier-test.el ends here
