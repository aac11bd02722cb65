;;; atelier.el --- Pictures of people in the text you write  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: multimedia, hypermedia
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; M-x atelier-headshot and M-x atelier-edit make a picture from the photo that the text at point names, and put a link to it
;; after that.  M-x atelier-places lists places, M-x atelier-history shows what was made, M-x atelier-cancel cancels.
;; README.md describes the keys and the variables.

;;; Code:

(require 'cl-lib)
(require 'dired)
(require 'jsonrpc)
(require 'subr-x)
(require 'url-util)

(defgroup atelier nil "Pictures of people, made by Atelier." :group 'multimedia)

(defcustom atelier-command "atelier"
  "The executable of Atelier, or a list of it and its arguments."
  :type '(choice file (repeat string)))

(defcustom atelier-data-directory nil
  "The directory of history and pictures; nil for the default one."
  :type '(choice (const :tag "Default" nil) directory))

;;;; The service: one process for this Emacs, started at the first request, and again at the next one after its end.

(cl-defstruct atelier--work "What is being made: what to call it, and the id of its request." label id)

(defvar atelier--connection nil "The connection to the service, or nil.")
(defvar atelier--running nil "The works that are not answered yet, newest first.")
(defvar atelier--sent nil "The work whose request is being sent.")
(defvar atelier--lost nil "Whether the service has ended without answering.")

(defclass atelier--service (jsonrpc-process-connection)
  ((is-told :initform nil :documentation "Whether its end was shown."))
  "The service, whose requests keep their ids.")

(cl-defmethod jsonrpc-connection-send :before ((_service atelier--service) &rest message)
  (when (and atelier--sent (plist-get message :id))
    (setf (atelier--work-id atelier--sent) (plist-get message :id))))

(cl-defmethod jsonrpc-connection-send :around ((service atelier--service) &rest _message)
  "Leave it to the end of SERVICE to say why, where that comes before a message."
  (condition-case failure
      (cl-call-next-method)
    (error (when (jsonrpc-running-p service) (signal (car failure) (cdr failure))))))

(defun atelier--locale ()
  "The languages of the environment, the preferred one first, or nil.
The service reads the names of locales as it reads language tags."
  (let ((name (cl-some (lambda (variable) (let ((value (getenv variable))) (unless (member value '(nil "")) value)))
                       '("LC_ALL" "LC_MESSAGES" "LANG"))))
    ;; Where no language is set, LANGUAGE does not count.
    (when (and name (not (string-match-p "\\`\\(?:C\\|POSIX\\)\\(?:[.@]\\|\\'\\)" name)))
      (string-join (append (split-string (or (getenv "LANGUAGE") "") ":" t) (list name)) ","))))

(defun atelier--connection ()
  "The connection to the service, which is started if it does not run."
  (unless (and atelier--connection (jsonrpc-running-p atelier--connection))
    (let* ((command (if (listp atelier-command) atelier-command (list atelier-command)))
           (program (or (executable-find (car command))
                        (user-error "The program %s is not installed.\nInstall Atelier as its README says, or set \
`atelier-command' to the path of its executable" (car command))))
           (arguments (when atelier-data-directory (list "--data-dir" (expand-file-name atelier-data-directory))))
           (default-directory temporary-file-directory)
           ;; Emacs gives each process a group of its own, which Ctrl-C in a terminal does not reach, and ends it with
           ;; a signal, on which the service cancels what it makes.
           (start (lambda ()
                    (make-process
                     :name "atelier" :command `(,(expand-file-name program) ,@(cdr command) ,@arguments)
                     :connection-type 'pipe :coding 'utf-8-emacs-unix :noquery t
                     ;; It is `jsonrpc' that wants this name.
                     :stderr (get-buffer-create "*atelier stderr*")))))
      (setq atelier--lost nil
            atelier--connection
            (apply #'make-instance 'atelier--service
                   :name "atelier" :process start
                   :notification-dispatcher #'atelier--notified :on-shutdown #'atelier--ended
                   ;; What is said is not logged: pictures are long.
                   (if (boundp 'jsonrpc-event-hook)
                       '(:events-buffer-config (:size 0)) '(:events-buffer-scrollback-size 0))))
      (jsonrpc-async-request atelier--connection :initialize
                             `(:clientInfo (:name "emacs") :processId ,(emacs-pid)
                               ,@(when-let* ((locale (atelier--locale))) (list :locale locale)))
                             :timeout nil :success-fn #'ignore :error-fn #'atelier--refuse)))
  atelier--connection)

(defun atelier--ended (connection)
  "Report the end of the service of CONNECTION, if somebody waited for it."
  (when (and atelier--lost (not (oref connection is-told)))
    (oset connection is-told t)
    (let* ((log (jsonrpc-stderr-buffer connection))
           (process (and log (get-buffer-process log))))
      (while (and process (process-live-p process) (accept-process-output process 0.2)))
      (message "%s" (string-trim (concat "Atelier's service has ended.\n" (when log (atelier--last-lines log))))))))

(defun atelier--last-lines (buffer)
  "The last lines of BUFFER that are the service's own."
  (with-current-buffer buffer
    (let ((lines (cl-remove-if (lambda (line) (string-match-p "\\`\\(Process atelier stderr .*\\)?\\'" line))
                               (split-string (buffer-string) "\n"))))
      (string-join (last lines 4) "\n"))))

(defun atelier--refuse (failure)
  "Show the error FAILURE, and below it the hint for whoever runs the service."
  (if-let* ((data (plist-get failure :data)))
      (let ((hint (plist-get (plist-get data :details) :hint)))
        (message "%s" (concat (plist-get failure :message) (and hint "\n") hint)))
    ;; It is `jsonrpc' that says so, and what the service has written last is not read yet.
    (setq atelier--lost t)))

(defun atelier--notified (_connection method params)
  "Show the progress in PARAMS, if METHOD says that it is one."
  (when-let* ((work (and (eq method 'generation/progress) (not (active-minibuffer-window))
                        (cl-find (plist-get params :requestId) atelier--running :key #'atelier--work-id))))
    (let ((message-log-max nil)
          (text (format "%s: %d %%  %s" (atelier--work-label work)
                        (* 100 (plist-get params :overall)) (plist-get params :message))))
      (message "%s" (truncate-string-to-width (string-replace "\n" " " text) (1- (frame-width)))))))

(defun atelier--send (work method params succeeded)
  "Send METHOD with PARAMS for WORK, and call SUCCEEDED with the result.
Whatever else comes of it is shown."
  (let ((connection (atelier--connection))
        (atelier--sent work)
        (leave (lambda () (setq atelier--running (remq work atelier--running))))
        is-sent)
    (push work atelier--running)
    (unwind-protect
        (progn
          (jsonrpc-async-request
           connection method params :timeout nil
           :success-fn (lambda (result)
                         (funcall leave)
                         (if (equal (plist-get result :state) "cancelled")
                             (message "%s: cancelled." (atelier--work-label work))
                           (funcall succeeded result)))
           :error-fn (lambda (failure)
                       (funcall leave)
                       (atelier--failed work method params succeeded failure)))
          (setq is-sent t))
      (unless is-sent (funcall leave)))
    ;; A request waits from when it was sent. Nobody may tell it of an end that came before.
    (unless (jsonrpc-running-p connection)
      (funcall leave)
      (setq atelier--lost t)
      (atelier--ended connection))))

(defun atelier--failed (work method params succeeded failure)
  "Show the FAILURE of METHOD, or prepare a photo that was too large.
WORK, METHOD, PARAMS and SUCCEEDED are those of `atelier--send'."
  (let ((data (plist-get failure :data))
        (image (plist-get params :image)))
    (cond ((equal (plist-get data :kind) "request_cancelled") (message "%s: cancelled." (atelier--work-label work)))
          ((and (equal (plist-get (plist-get data :details) :remedy) "image/prepare")
                (eq method :generate) (plist-get image :path))
           ;; The prepared photo stays with the service, which erases it after a day: it need not pass through here.
           (atelier--send work :image/prepare (list :image image :longestSide 4096)
                          (lambda (prepared)
                            (setq image (list :preparedId (plist-get prepared :preparedId)))
                            (atelier--send work method (plist-put (copy-sequence params) :image image) succeeded))))
          (t (atelier--refuse failure)))))

(defun atelier--cancel (work)
  "Cancel WORK, which is still answered."
  (when (jsonrpc-running-p atelier--connection)
    (jsonrpc-notify atelier--connection '$/cancelRequest (list :id (atelier--work-id work)))))

;;;; The document: which picture the text at point names, and how a link is written.

(defconst atelier--patterns
  '("\\[\\[\\(\\(?:\\\\.\\|[^][\n\\]\\)+\\)\\]\\(?:\\[[^][\n]*\\]\\)?\\]"
    "<img\\s-[^>\n]*src=[\"']\\([^\"'>\n]+\\)[\"'][^>\n]*>"
    "!?\\[\\(?:\\\\.\\|[^]\n\\]\\)*\\](<\\([^>\n]+\\)>[^)\n]*)"
    "!?\\[\\(?:\\\\.\\|[^]\n\\]\\)*\\](\\(\\(?:[^()\n]\\|([^()\n]*)\\)+?\\)\\(?:[ \t]+[\"'][^\n]*?\\)?)"
    "\"\\([^\"\n]+\\)\"" "'\\([^'\n]+\\)'" "`\\([^`\n]+\\)`"
    "(*\\([^ \t\n\"'`<>]+\\)")
  "What is around a name, in the order in which it is tried; bare words come last.")

(defun atelier--names-at-point ()
  "The names at point: lists of a name, the end of the whole, and how it is taken.
The last is non-nil for what surely is a name."
  ;; A line can be a whole file.
  (let* ((point (point)) (limit (min (line-end-position) (+ point 2000)))
         (start (max (line-beginning-position) (- point 2000))) names)
    (cl-flet ((add (name end is-sure)
                (setq name (replace-regexp-in-string "\\`file:\\(?://\\)?" "" name))
                (push (list name end is-sure) names)
                (when (string-match-p "%[[:xdigit:]]" name)
                  (push (list (decode-coding-string (url-unhex-string name t) 'utf-8) end nil) names))))
      (save-excursion
        (dolist (pattern atelier--patterns)
          (goto-char start)
          (let (found)
            (while (and (not found) (re-search-forward pattern limit t))
              (setq found (<= (match-beginning 0) point (match-end 0))))
            (when found
              (let ((name (match-string-no-properties 1)) (end (match-end 0)))
                (cond
                 ((string-prefix-p "\\[\\[" pattern)
                  (add (replace-regexp-in-string
                        "\\\\\\([][\\]\\)" "\\1" (replace-regexp-in-string "::.*" "" name))
                       end t))
                 ((string-prefix-p "(*" pattern)
                  (add (match-string-no-properties 0) end nil)
                  (let ((bare (string-trim-right name "[).,;:!?]+")))
                    (add bare (- end (- (length name) (length bare)))
                         (string-match-p "\\.\\(?:jpe?g\\|png\\|webp\\|hei[cf]\\|avif\\)\\'" bare))))
                 (t (add name end t)))))))
        (goto-char start)
        (when (re-search-forward "^[ \t]*\\(?:[-*+][ \t]\\)?[ \t]*\\(.+?\\)[ \t]*$" limit t)
          (add (match-string-no-properties 1) limit nil))))
    (nreverse names)))

(defun atelier--folder ()
  "The folder that relative paths in this buffer begin at."
  (expand-file-name (if buffer-file-name (file-name-directory buffer-file-name) default-directory)))

(defun atelier--picture-at-point ()
  "The path of the picture at point, and a marker after its name, as a pair."
  (when (file-remote-p (atelier--folder))
    (user-error "This buffer is not a file on this machine, and Atelier works with local files only"))
  (let* ((whole (cond ((derived-mode-p 'dired-mode) (dired-get-filename nil t))
                      ((derived-mode-p 'image-mode) buffer-file-name)))
         (names (if whole (list (list whole (point) t)) (atelier--names-at-point)))
         (refusal "There is no picture at point: put it on a path, or on a link to a picture")
         is-named found)
    (while (and names (not found))
      (pcase-let* ((`(,name ,end ,is-sure) (pop names))
                   (is-remote (or (string-match-p "\\`[[:alpha:]][[:alnum:]+.-]+://" name) (file-remote-p name)))
                   (path (if is-remote name (expand-file-name name (atelier--folder)))))
        (cond ((and (not is-remote) (file-readable-p path) (not (file-directory-p path)))
               (setq found (cons path (copy-marker end t))))
              ((and is-sure (not is-named))
               (setq is-named t
                     refusal (format (if is-remote "“%s” is not a file on this machine"
                                       "“%s” is not a file that can be read")
                                     path))))))
    (unless found (user-error "%s" refusal))
    (when (memq 'eight-bit (find-charset-string (car found)))
      (user-error "This name is not UTF-8, and Atelier takes nothing else: rename the file"))
    found))

(defun atelier--language (buffer)
  "The language of links in BUFFER: `org', `markdown', or nil if none fits."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (cond ((derived-mode-p 'org-mode) 'org)
            ((or (derived-mode-p 'markdown-mode 'markdown-ts-mode)
                 (memq major-mode '(text-mode fundamental-mode lisp-interaction-mode message-mode)))
             'markdown)))))

(defun atelier--plain (text language)
  "TEXT as it is written in LANGUAGE, in one line."
  (setq text (replace-regexp-in-string "[[:cntrl:]]" " " text))
  (if (eq language 'org)
      (string-replace "[" "(" (string-replace "]" ")" text))
    (replace-regexp-in-string "[][\\`*_<>]" "\\\\\\&" text)))

(defun atelier--picture-link (path title language)
  "A link to the picture at PATH with the TITLE, in LANGUAGE."
  (if (eq language 'org)
      (format "[[file:%s]]" (replace-regexp-in-string "[][]" "\\\\\\&" path))
    (format "![%s](%s)" (atelier--plain title language)
            (replace-regexp-in-string "[[:cntrl:] \"%()<>\\#?]" (lambda (each) (format "%%%02X" (string-to-char each)))
                                      path t t))))

(defun atelier--place-item (place language)
  "A line of a list, in LANGUAGE: the name of PLACE, with a map, and its address."
  (cl-flet ((part (name) (or (plist-get place name) "")))
    (let* ((address (remove "" (list (part :streetAddress1) (part :streetAddress2) (part :city)
                                     (string-trim (concat (part :state) " " (part :postalCode))) (part :country))))
           (coordinate (plist-get place :coordinate))
           (map (if coordinate
                    (format "https://www.openstreetmap.org/?mlat=%1$.5f&mlon=%2$.5f#map=17/%1$.5f/%2$.5f"
                            (plist-get coordinate :latitude) (plist-get coordinate :longitude))
                  (concat "https://www.openstreetmap.org/search?query="
                          (url-hexify-string (string-join (cons (part :name) address) ", ")))))
           (name (atelier--plain (part :name) language)))
      (string-join (cons (if (eq language 'org) (format "- [[%s][%s]]" map name) (format "- [%s](%s)" name map))
                         (mapcar (lambda (text) (atelier--plain text language)) address))
                   ", "))))

(defun atelier--words (generation)
  "What was asked for GENERATION."
  (replace-regexp-in-string "[ \t\n]+" " " (or (plist-get generation :prompt) (plist-get generation :templateId)
                                               (plist-get (plist-get generation :style) :background) "")))

(defun atelier--insert (generation marker &optional image)
  "Insert the pictures of GENERATION, or only IMAGE, or its places, at MARKER.
Where that is not possible, they go to the kill ring."
  (let* ((buffer (marker-buffer marker))
         (language (atelier--language buffer))
         (places (plist-get generation :places))
         (paths (delq nil (mapcar (lambda (each) (plist-get each :path))
                                  (if image (list image) (plist-get generation :images)))))
         (folder (and buffer (with-current-buffer buffer (atelier--folder))))
         (title (if (equal (plist-get generation :recipe) "headshot") "headshot"
                  (truncate-string-to-width (atelier--words generation) 80)))
         (text (if places
                   (concat "\n" (mapconcat (lambda (place) (atelier--place-item place language)) places "\n"))
                 (mapconcat (lambda (path)
                              (let ((name (if (and folder (string-prefix-p folder path))
                                              (substring path (length folder)) path)))
                                (concat " " (if language (atelier--picture-link name title language) path))))
                            paths ""))))
    (if (not (or places paths))
        (message "There is nothing to insert.")
      (let ((is-inserted (and language (atelier--insert-text text marker))))
        (unless is-inserted (kill-new (string-trim text)))
        (message "%s" (string-join
                       `(,(if places (format "%d places" (length places)) (mapconcat #'abbreviate-file-name paths ", "))
                         ,@(unless is-inserted '("Nothing was inserted: it is in the kill ring."))
                         ,@(mapcar (lambda (each) (plist-get each :message)) (plist-get generation :warnings)))
                       "\n"))))))

(defun atelier--insert-text (text marker)
  "Insert TEXT at MARKER.  Return whether that was possible."
  (ignore-errors ; A part of a buffer can be read-only as well.
    (with-current-buffer (marker-buffer marker)
      (save-excursion
        (save-restriction
          (widen)
          (goto-char marker)
          (undo-boundary)
          (let ((inhibit-read-only nil)) ; What reads the answer sets it.
            (insert (if (bolp) (string-trim-left text) text)))
          t)))))

(defun atelier--folder-for (path)
  "The folder for a picture made of PATH, or nil for the service's own.
It is the photo's in or below the document's folder, otherwise the document's."
  (let* ((folder (atelier--folder))
         (beside (file-name-directory path))
         (target (cond ((string-prefix-p folder beside) beside) (buffer-file-name folder))))
    (and target (file-writable-p target) (directory-file-name target))))

(defun atelier--make (picture params)
  "Make what PARAMS say of PICTURE, a path and a marker, and insert a link there."
  (let* ((path (car picture))
         (name (file-name-nondirectory path))
         (folder (atelier--folder-for path)))
    (atelier--send (make-atelier--work :label name) :generate
                   `(,@params :image (:path ,path) :metadata (:source ,name)
                     ,@(when folder `(:output (:directory ,folder))))
                   (lambda (generation) (atelier--insert generation (cdr picture))))))

;;;; The commands

;;;###autoload
(defun atelier-headshot (picture &optional background)
  "Make a headshot of the PICTURE at point, and insert a link to it.
With a prefix argument, ask for the BACKGROUND."
  (interactive (list (atelier--picture-at-point)
                     (when current-prefix-arg
                       (completing-read "Background: " '("auto" "professional" "casual" "white" "transparent")))))
  (atelier--make picture `(:recipe "headshot" ,@(unless (member background '(nil "")) `(:style (:background ,background))))))

;;;###autoload
(defun atelier-edit (picture prompt)
  "Change the PICTURE at point as PROMPT says, and insert a link to the result."
  (interactive (list (atelier--picture-at-point) (read-string "What is to be changed? ")))
  (unless (string-blank-p prompt) (atelier--make picture `(:recipe "edit" :prompt ,prompt))))

;;;###autoload
(defun atelier-places (prompt)
  "Insert a list of the places that PROMPT asks for, after this line."
  (interactive "sWhich places? ")
  (let ((marker (copy-marker (line-end-position) t)))
    (unless (string-blank-p prompt)
      (atelier--send (make-atelier--work :label prompt) :generate (list :recipe "places" :prompt prompt)
                     (lambda (generation) (atelier--insert generation marker))))))

;;;###autoload
(defun atelier-cancel (&optional all)
  "Cancel what is being made.
If there are several, ask which; with a prefix argument, cancel ALL."
  (interactive "P")
  (unless atelier--running (user-error "Nothing is being made"))
  (if (or all (null (cdr atelier--running)))
      (mapc #'atelier--cancel atelier--running)
    (let ((choices (mapcar (lambda (work) (cons (format "%s (%s)" (atelier--work-label work) (atelier--work-id work)) work))
                           (reverse atelier--running))))
      (atelier--cancel (cdr (assoc (completing-read "Cancel which? " choices nil t) choices))))))

;;;; The history

(defvar-local atelier--origin nil "Where the history was opened: what is inserted goes there.")
(defvar-local atelier--cursor nil "Where the next page of the history begins; nil after the last.")

(define-derived-mode atelier-history-mode special-mode "Atelier-History"
  "What was made of what.
\\{atelier-history-mode-map}"
  (setq-local revert-buffer-function (lambda (&rest _) (atelier--load nil)))
  (add-hook 'window-scroll-functions
            ;; At the time of the call, the end of the window is not known yet.
            (lambda (window _start) (run-at-time 0 nil #'atelier--show-thumbnails window)) nil t))

(define-key atelier-history-mode-map (kbd "RET") #'atelier-history-open)
(define-key atelier-history-mode-map "i" #'atelier-history-insert)
(define-key atelier-history-mode-map "m" #'atelier-history-more)
(define-key atelier-history-mode-map "n" #'next-line)
(define-key atelier-history-mode-map "p" #'previous-line)

;;;###autoload
(defun atelier-history ()
  "Show what was made."
  (interactive)
  (let ((origin (copy-marker (line-end-position) t)))
    (pop-to-buffer (get-buffer-create "*Atelier history*"))
    (atelier-history-mode)
    (setq atelier--origin origin)
    (atelier--load nil)))

(defun atelier--load (cursor)
  "Add the page at CURSOR to this history, or begin again with the first one."
  (let ((buffer (current-buffer)))
    (jsonrpc-async-request
     (atelier--connection) :history (and cursor (list :cursor cursor)) :timeout nil :error-fn #'atelier--refuse
     :success-fn
     (lambda (page)
       (when (buffer-live-p buffer)
         (with-current-buffer buffer
           (let ((inhibit-read-only t))
             (save-excursion
               (unless cursor (erase-buffer))
               (goto-char (point-max))
               (mapc #'atelier--show-entry (plist-get page :entries))
               (when (bobp) (insert "Nothing was made yet.\n"))))
           (setq atelier--cursor (plist-get page :nextCursor))
           (dolist (window (get-buffer-window-list buffer nil t)) (atelier--show-thumbnails window))))))))

(defun atelier--show-entry (entry)
  "Insert ENTRY: what was asked, then the pictures, the places, or the error."
  (let* ((source (plist-get (plist-get entry :metadata) :source))
         (words (atelier--words entry))
         (state (plist-get entry :state))
         (id (plist-get entry :generationId))
         (images (append (plist-get entry :images) nil)))
    (cl-flet ((add (image &rest text)
                (insert (propertize (concat (replace-regexp-in-string "[[:cntrl:]]" " " (apply #'concat text)) "\n")
                                    'atelier-entry entry 'atelier-image image))))
      (add (car images)
           (format-time-string "%F %R  " (date-to-time (plist-get entry :createdAt)))
           (plist-get entry :recipe)
           (if (stringp source) (concat " of " source) "") (if (equal words "") "" ": ") words
           (if (equal state "succeeded") "" (format "  (%s)" state)))
      (dolist (image images)
        (add image "    "
             (if (display-images-p)
                 (concat (propertize " " 'display '(space :width (96) :height (96))
                                     'atelier-thumbnail (list :generationId id :index (plist-get image :index)))
                         " ")
               "")
             (abbreviate-file-name (or (plist-get image :path) "no file"))))
      (seq-doseq (place (plist-get entry :places)) (add nil "    " (plist-get place :name) ", " (plist-get place :city)))
      (when-let* ((failure (plist-get entry :error))) (add nil "    " (plist-get failure :message))))))

(defun atelier--show-thumbnails (window)
  "Ask for the small pictures that WINDOW shows, each once."
  (when (and (window-live-p window) (with-current-buffer (window-buffer window) (derived-mode-p 'atelier-history-mode)))
    (with-current-buffer (window-buffer window)
      (let ((position (window-start window)) (end (window-end window t)) (inhibit-read-only t))
        (while (setq position (text-property-not-all position end 'atelier-thumbnail nil))
          (let ((marker (copy-marker position)))
            (jsonrpc-async-request
             (atelier--connection) :image/read
             (append '(:maxSide 96) (get-text-property position 'atelier-thumbnail))
             :timeout nil :error-fn #'ignore ; Where there is no picture, its path is enough.
             :success-fn (lambda (answer) (atelier--show-thumbnail marker (plist-get answer :data))))
            (remove-text-properties position (1+ position) '(atelier-thumbnail))))))))

(defun atelier--show-thumbnail (marker data)
  "Show the picture with the base64 DATA in place of the character at MARKER."
  (when (buffer-live-p (marker-buffer marker))
    (with-current-buffer (marker-buffer marker)
      (with-silent-modifications
        (put-text-property marker (1+ marker) 'display
                           (create-image (base64-decode-string data) nil t :ascent 'center))))))

(defun atelier-history-open ()
  "Open the picture of this line.
Emacs shows it if it can, otherwise the desktop does."
  (interactive)
  (let ((path (or (plist-get (get-text-property (point) 'atelier-image) :path) (user-error "There is no picture here"))))
    (if (or (display-images-p) (not (executable-find "xdg-open")))
        (find-file-other-window path)
      (call-process "xdg-open" nil 0 nil path))))

(defun atelier-history-insert ()
  "Insert what this line shows where the history was opened."
  (interactive)
  (atelier--insert (or (get-text-property (point) 'atelier-entry) (user-error "There is nothing here"))
                   atelier--origin (get-text-property (point) 'atelier-image)))

(defun atelier-history-more ()
  "Show the next page of the history."
  (interactive)
  (if atelier--cursor (atelier--load atelier--cursor) (message "That is all.")))

(provide 'atelier)
;;; atelier.el ends here
